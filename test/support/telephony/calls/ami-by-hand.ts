/** What a test asks Asterisk itself: its AMI over HTTP, and PJSIP objects of phones that no order has made. */
import type { startAsterisk } from '../asterisk/asterisk';

type Asterisk = Awaited<ReturnType<typeof startAsterisk>>;
type Fields = Readonly<Record<string, string>>;

export interface AmiByHand {
  /** The answer as it comes. */
  ask(fields: Fields): Promise<string>;
  /** What a number has below `partyline/` in AstDB, as JSON. */
  put(key: string, value: object | string): Promise<void>;
}

export async function openAmi({ url, password }: Pick<Asterisk, 'url' | 'password'>): Promise<AmiByHand> {
  let cookie = '';
  const ask: AmiByHand['ask'] = async (fields) => {
    const answer = await fetch(`${url}/rawman`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return answer.text();
  };
  await ask({ action: 'Login', username: 'ami', secret: password });
  const askAgain: AmiByHand['ask'] = async (fields) => {
    const said = await ask(fields);
    if (!said.includes('Permission denied')) return said;
    // The session ends after a minute without a request.
    await ask({ action: 'Login', username: 'ami', secret: password });
    return ask(fields);
  };
  return {
    ask: askAgain,
    async put(key, value) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const said = await askAgain({ action: 'DBPut', Family: 'partyline', Key: key, Val: text });
      expect(said).toContain('Success');
    },
  };
}

type Objects = Readonly<Record<string, Fields>>;

/** The objects of a phone that registers with the secret. */
export const phoneObjects = (number: string, secret: string): Objects => ({
  auth: { auth_type: 'userpass', username: number, password: secret },
  aor: { max_contacts: '1', remove_existing: 'yes' },
  endpoint: {
    aors: number,
    auth: number,
    context: 'from-internal',
    callerid: `"User ${number}" <${number}>`,
    allow: '!all,ulaw',
  },
});

/** The objects of a trunk whose other end is at the address, and is believed. */
export const trunkObjects = (name: string, address: string): Objects => ({
  aor: { contact: address },
  endpoint: { aors: name, context: 'partyline-inbound', allow: '!all,ulaw', trust_id_inbound: 'yes', send_pai: 'yes' },
});

export async function writeObjects(
  { url, password }: Pick<Asterisk, 'url' | 'password'>,
  id: string,
  objects: Objects,
): Promise<void> {
  for (const [type, fields] of Object.entries(objects)) {
    const list = Object.entries(fields).map(([attribute, value]) => ({ attribute, value }));
    const answer = await fetch(`${url}/ari/asterisk/config/dynamic/res_pjsip/${type}/${id}`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${Buffer.from(`partyline:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ fields: list }),
    });
    expect(answer.status).toBe(200);
  }
}
