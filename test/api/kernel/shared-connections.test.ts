import { openOrganisations, ROOT, type Organisations } from '../../support/chat/organisations';
import { openRaw, type RawConnection } from '../../support/http/raw-connection';

let all: Organisations;
let connection: RawConnection;
let asked = 0;

beforeAll(async () => {
  all = await openOrganisations();
  connection = openRaw(all.node.port);
});
afterAll(async () => {
  connection.socket.destroy();
  await all.cluster.close();
});

/** What `GET /users/me` says of the caller with these headers, on the connection that all requests of this file share. */
async function whoIs(headers: Readonly<Record<string, string>>): Promise<{ email?: string; msg: string }> {
  const lines = Object.entries(headers).map((header) => header.join(': '));
  connection.send(['GET /api/v1/users/me HTTP/1.1', ...lines, '', ''].join('\r\n'));
  return JSON.parse((await connection.answer(asked++)).body) as { email?: string; msg: string };
}

test('Requests that share a connection are each authenticated by their own key and host', async () => {
  const { acme, beta } = all;
  const [inAcme, inBeta] = [`acme.${ROOT}`, `beta.${ROOT}`];
  const elsewhere = { msg: 'Account is not associated with this subdomain' };
  for (let round = 0; round < 3; round += 1) {
    for (const { headers, email } of [acme.owner, acme.member])
      expect(await whoIs({ Host: inAcme, ...headers })).toMatchObject({ email });
    expect(await whoIs({ Host: inBeta, ...acme.member.headers })).toMatchObject(elsewhere);
    expect(await whoIs({ Host: inBeta, ...beta.member.headers })).toMatchObject({ full_name: 'Beta member' });
    expect(await whoIs({ Host: inBeta })).not.toHaveProperty('email');
  }
});

test('Requests that a trusted proxy sends on one connection are each taken for their own host', async () => {
  const { headers } = all.acme.member;
  const elsewhere = { msg: 'Account is not associated with this subdomain' };
  for (let round = 0; round < 2; round += 1) {
    for (const host of ['acme', 'beta']) {
      const proxied = { Host: 'node', 'X-Forwarded-Host': `${host}.${ROOT}`, ...headers };
      expect(await whoIs(proxied)).toMatchObject(host === 'acme' ? { email: all.acme.member.email } : elsewhere);
      expect(await whoIs({ Host: `acme.${ROOT}`, ...headers })).toMatchObject({ email: all.acme.member.email });
    }
  }
});
