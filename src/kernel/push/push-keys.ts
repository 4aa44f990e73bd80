/**
 * The keys by which push services know this server (VAPID). They are made once for the installation, by whichever
 * process needs them first: devices are bound to them, so other keys would end every subscription.
 */
import type * as WebPush from 'web-push';
import type { Database } from '../mysql/pool';
import type { Secrets } from '../secrets/secrets';

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Parts {
  readonly mysql: Database;
  readonly secrets: Pick<Secrets, 'decrypt' | 'encrypt'>;
}

const TABLE = 'kernel_push_keys';
const ONLY = { id: 1 };

/** Reads the keys once for this process. After a failure the next caller tries again. */
export function openPushKeys(parts: Parts): () => Promise<PushKeys> {
  let found: Promise<PushKeys> | undefined;
  return () =>
    (found ??= findOrMake(parts).catch((error: unknown) => {
      found = undefined;
      throw error;
    }));
}

async function findOrMake(parts: Parts): Promise<PushKeys> {
  const stored = await find(parts);
  if (stored) return stored;
  // Loaded here: most processes never need it.
  const { generateVAPIDKeys } = require('web-push') as typeof WebPush;
  const made = generateVAPIDKeys();
  const row = {
    ...ONLY,
    public_key: made.publicKey,
    private_sealed: parts.secrets.encrypt(made.privateKey),
    created_at: parts.mysql.raw('NOW(3)'),
  };
  // Another process may have been quicker: then its keys count.
  await parts.mysql(TABLE).insert(row).onConflict().ignore();
  return (await find(parts))!;
}

async function find({ mysql, secrets }: Parts): Promise<PushKeys | undefined> {
  const row = (await mysql(TABLE).where(ONLY).first('public_key', 'private_sealed')) as
    | { public_key: string; private_sealed: string }
    | undefined;
  return row && { publicKey: row.public_key, privateKey: secrets.decrypt(row.private_sealed) };
}
