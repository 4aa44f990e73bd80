/** The FreePBX of the interoperability cases: the simulated one, or an existing live one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPbx } from '../../../simulators/pbx/server';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface FreePbxTarget {
  readonly url: string;
  readonly client: string;
  readonly secret: string;
  /** The first of the hundred numbers that the cases may use, none of which exists. */
  readonly firstNumber: number;
  token(form?: Readonly<Record<string, string>>): Promise<Reply>;
  /** With a new token, or with this Authorization header. */
  ask(query: string, variables?: object, authorization?: string | null): Promise<Reply>;
  close(): Promise<void>;
}

/** The number of extension numbers that the cases may use. */
const NUMBERS = 100;
const SIMULATED = '/freepbx/10000000-0000-4000-8000-0000000000f1';

export async function openFreePbxTarget(): Promise<FreePbxTarget> {
  // scripts/interop.js names a live FreePBX.
  const live = process.env['INTEROP_FREEPBX_URL'];
  if (live === undefined) return openSimulated();
  const { INTEROP_FREEPBX_CLIENT: client = '', INTEROP_FREEPBX_SECRET: secret = '' } = process.env;
  const firstNumber = Number(process.env['INTEROP_FREEPBX_FROM']);
  const url = live.replace(/\/$/, '');
  const target = targetAt({ url, client, secret, firstNumber }, () => Promise.resolve());
  await ensureFree(target);
  return target;
}

const LIST = 'query { fetchAllExtensions { status message extension { extensionId } } }';

/** The cases delete the numbers that they use, so none of them may exist. */
async function ensureFree(target: FreePbxTarget): Promise<void> {
  const { firstNumber } = target;
  const { status, body } = await target.ask(LIST);
  if (status !== 200) throw new Error(`The FreePBX answers ${status}: ${JSON.stringify(body)}`);
  const { extension } = (body as { data: { fetchAllExtensions: { extension: { extensionId: string }[] } } }).data
    .fetchAllExtensions;
  const taken = extension
    .map(({ extensionId }) => Number(extensionId))
    .filter((number) => number >= firstNumber && number < firstNumber + NUMBERS);
  if (taken.length > 0)
    throw new Error(`These numbers are there already, choose others by --from: ${taken.join(', ')}`);
}

async function openSimulated(): Promise<FreePbxTarget> {
  const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
  const server = await startPbx({ host: '127.0.0.1', port: 0, folder });
  const client = { client: 'partyline', secret: 'freepbx-client-secret' };
  return targetAt({ url: `${server.url}${SIMULATED}`, ...client, firstNumber: 7000 }, async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

type Place = Pick<FreePbxTarget, 'url' | 'client' | 'secret' | 'firstNumber'>;

function targetAt(place: Place, close: () => Promise<void>): FreePbxTarget {
  const { url, client, secret } = place;
  let bearer: Promise<string> | undefined;

  async function token(form = {}): Promise<Reply> {
    const usual = { grant_type: 'client_credentials', client_id: client, client_secret: secret, scope: 'gql' };
    const body = new URLSearchParams({ ...usual, ...form });
    return replyOf(await fetch(`${url}/admin/api/api/token`, { method: 'POST', body }));
  }

  async function newBearer(): Promise<string> {
    const { body } = await token();
    return `Bearer ${(body as { access_token: string }).access_token}`;
  }

  return {
    ...place,
    token,
    async ask(query, variables = {}, authorization) {
      const own = authorization === undefined ? await (bearer ??= newBearer()) : authorization;
      const headers = { 'content-type': 'application/json', ...(own === null ? {} : { authorization: own }) };
      const body = JSON.stringify({ query, variables });
      return replyOf(await fetch(`${url}/admin/api/api/gql`, { method: 'POST', headers, body }));
    },
    close,
  };
}

async function replyOf(response: Response): Promise<Reply> {
  return { status: response.status, body: JSON.parse(await response.text()) as unknown };
}
