/** Parses REDIS_URL: one server, Sentinels that know the primary, or a cluster; encrypted or not. */
import type { ConnectionOptions } from 'node:tls';
import type { RedisOptions as AllRedisOptions } from 'ioredis';
import { CERTIFICATES, readCertificates, refuseUnknown } from '../secrets/certificates';
import type { KernelSettings } from '../settings';
import { toNamedServer, toPrimary } from './connector';

/** We never use ioredis' reply mapping, and leaving it out simplifies its types. */
export type RedisOptions = Omit<AllRedisOptions, 'replyMapping'>;

/** The Sentinels' own password is empty for none. */
export type RedisAddress = Pick<KernelSettings, 'redisUrl' | 'redisSentinelPassword'>;

export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

type Kind = 'server' | 'sentinel' | 'cluster';

interface Parts {
  readonly kind: Kind;
  readonly isEncrypted: boolean;
  readonly hosts: readonly RedisHost[];
  /** The primary's name among Sentinels; undefined if the address is the server's own. */
  readonly name: string | undefined;
  readonly db: number;
  readonly credentials: Pick<RedisOptions, 'username' | 'password'>;
  readonly options: URLSearchParams;
}

const PORT = 6379;
const SENTINEL_PORT = 26_379;
const FORM = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?]*)([^?]*)(\?.*)?$/;

function partsOf(redisUrl: string): Parts {
  const [, scheme, through, login = '', hosts = '', path = '', search = ''] = FORM.exec(redisUrl) ?? [];
  if (scheme === undefined) {
    throw wrong('it must begin with redis://, redis+sentinel:// or redis+cluster://, or the same with rediss');
  }
  const kind = (through ?? 'server') as Kind;
  return {
    kind,
    isEncrypted: scheme === 'rediss',
    hosts: hostsOf(hosts, kind),
    ...placeIn(path.split('/').slice(1), kind),
    credentials: credentialsOf(login),
    options: new URLSearchParams(search),
  };
}

/** The path after the hosts: the primary's name, if Sentinels are used, and the database. */
function placeIn(steps: string[], kind: Kind): Pick<Parts, 'name' | 'db'> {
  const name = kind === 'sentinel' ? decodeURIComponent(steps.shift() ?? '') : undefined;
  if (name === '') throw wrong("the primary's name is missing: redis+sentinel://host:26379,host:26379/name");
  const [db = ''] = steps;
  if (!/^\d{0,4}$/.test(db) || steps.length > 1) throw wrong(`its database must be a number, not "${steps.join('/')}"`);
  if (kind === 'cluster' && Number(db) > 0) throw wrong('a Redis Cluster has no databases but 0');
  return { name, db: Number(db) };
}

function credentialsOf(login: string): Parts['credentials'] {
  const [username = '', password = ''] = login.split(/:(.*)/s).map(decodeURIComponent);
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}

function hostsOf(written: string, kind: Kind): Parts['hosts'] {
  const texts = written.split(',');
  if (texts.length > 1 && kind === 'server') throw wrong('several servers need redis+sentinel:// or redis+cluster://');
  return texts.map((text) => {
    const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
    if (!url?.hostname) throw wrong(`"${text}" is not a host`);
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (kind === 'sentinel' ? SENTINEL_PORT : PORT)),
    };
  });
}

/**
 * Where to connect and how to authenticate; for a cluster, only the latter. Throws a sentence that says what is wrong
 * with the address.
 */
export function connectionOf({ redisUrl, redisSentinelPassword }: RedisAddress): RedisOptions {
  const { kind, isEncrypted, hosts, name, db, credentials, options } = partsOf(redisUrl);
  const tls = tlsOf(options, isEncrypted);
  const secured = tls ? { tls, Connector: toNamedServer } : {};
  if (kind === 'cluster') return { ...credentials, ...secured };
  if (name === undefined) return { ...hosts[0], db, ...credentials, ...secured };
  return {
    sentinels: [...hosts],
    name,
    db,
    ...credentials,
    ...(redisSentinelPassword ? { sentinelPassword: redisSentinelPassword } : {}),
    ...(tls ? { tls, Connector: toPrimary, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  };
}

/** Some nodes of a cluster, which know the others; undefined if the address is not a cluster's. */
export function clusterNodesOf(redisUrl: string): readonly RedisHost[] | undefined {
  const { kind, hosts } = partsOf(redisUrl);
  return kind === 'cluster' ? hosts : undefined;
}

/** The location of Redis for people, without secrets. */
export function placeOf(redisUrl: string): string {
  const { kind, hosts, name } = partsOf(redisUrl);
  const places = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  if (kind === 'cluster') return `${places} (a cluster)`;
  return name === undefined ? places : `${places} (Sentinels of ${name})`;
}

const wrong = (what: string): Error => new Error(`REDIS_URL is wrong: ${what}`);

/** Undefined if connections are not encrypted. The certificate must name the host or address that we connect to. */
function tlsOf(options: URLSearchParams, isEncrypted: boolean): ConnectionOptions | undefined {
  refuseUnknown(options, CERTIFICATES, wrong);
  if (isEncrypted) return readCertificates(options, wrong);
  if (options.size > 0) throw wrong('ca, cert and key need rediss://, rediss+sentinel:// or rediss+cluster://');
  return undefined;
}
