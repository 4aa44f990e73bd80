/** CPU time of processes by role: ours by pid, Redis by INFO, MariaDB by its pid file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Connection } from 'mysql2/promise';
import type { Watched } from './benchmark';
import { processCpu } from './cpu';

export function watchProcess(name: string, child: { readonly pid: number }): Watched {
  const { pid } = child;
  return { name, pid, cpu: () => Promise.resolve(processCpu(pid)) };
}

/** INFO reports microseconds, which is finer than clock ticks. */
export async function watchRedis(redis: Redis): Promise<Watched> {
  const pid = Number(fieldOf(await redis.info('server'), 'process_id'));
  return {
    name: 'redis',
    pid,
    async cpu() {
      const info = await redis.info('cpu');
      return (Number(fieldOf(info, 'used_cpu_user')) + Number(fieldOf(info, 'used_cpu_sys'))) * 1e6;
    },
  };
}

/** Empty if the server runs on another machine. */
export async function watchMariadb(server: Connection): Promise<readonly Watched[]> {
  const [[row]] = (await server.query('SELECT @@datadir AS directory, @@pid_file AS file')) as unknown as [
    [{ directory: string; file: string }],
  ];
  try {
    const path = row.file.startsWith('/') ? row.file : join(row.directory, row.file);
    return [watchProcess('mariadb', { pid: Number(readFileSync(path, 'utf8')) })];
  } catch {
    return [];
  }
}

export async function redisVersion(redis: Redis): Promise<string> {
  return fieldOf(await redis.info('server'), 'redis_version');
}

export async function mariadbVersion(server: Connection): Promise<string> {
  const [[row]] = (await server.query('SELECT VERSION() AS version')) as unknown as [[{ version: string }]];
  return row.version;
}

export function fieldOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
}
