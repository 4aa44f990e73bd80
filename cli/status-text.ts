/** Formats the status of an installation for people. */
import type { Status } from './status';
import { columns, counted } from './text';

export function statusText(status: Status): string {
  const { version, environment, node_version: nodeVersion, redis, mysql, nodes } = status;
  return columns([
    ['partyline', `${version} on Node.js ${nodeVersion}, ${environment}`],
    ...redisLines(redis),
    ...mysqlLines(mysql),
    ...nodes.map(({ url, status: state }, index) => [index === 0 ? 'nodes' : ' ', `${url} ${state}`]),
  ]);
}

const MEGABYTE = 1_048_576;

function redisLines(redis: Status['redis']): string[][] {
  if (!redis.ok) return [['redis', `${redis.address} cannot be used: ${redis.error}`]];
  const memory = `${Math.ceil(redis.used_memory_bytes / MEGABYTE)} MB`;
  const about = `Redis ${redis.version} at ${redis.address}, ${memory}, ${counted(redis.clients, 'client')}`;
  const queues = redis.queues.map(
    ({ queue, waiting, active, delayed, failed }) =>
      `${queue}: ${waiting} waiting, ${active} active, ${delayed} delayed, ${failed} failed`,
  );
  return [['redis', about], ...queues.map((line, index) => [index === 0 ? 'queues' : ' ', line])];
}

function mysqlLines(mysql: Status['mysql']): string[][] {
  if (!mysql.ok) return [['mysql', `${mysql.address} cannot be used: ${mysql.error}`]];
  const pending = mysql.pending_migrations.length;
  const lines = [
    ['mysql', `${mysql.version} at ${mysql.address}`],
    ['migrations', pending === 0 ? 'none pending' : `${pending} pending: run "partyline migrate"`],
  ];
  if (!('outbox' in mysql)) return lines;
  const { outbox, chat, telephony } = mysql;
  if (chat) lines.push(['chat', `${counted(chat.realms, 'organization')}, ${counted(chat.users, 'user')}`]);
  if (telephony) lines.push(['telephony', counted(telephony.companies, 'company', 'companies')]);
  const age = outbox.oldest_ms === null ? '' : `, the oldest for ${(outbox.oldest_ms / 1000).toFixed(1)} s`;
  lines.push(['outbox', `${counted(outbox.pending, 'row')} pending${age}`]);
  return lines;
}
