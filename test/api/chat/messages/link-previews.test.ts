import { externalPath } from '../../../../src/chat/model/uploads/external-picture';
import { wantsPreviews } from '../../../../src/chat/queries/messages/find-previews';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../../src/chat/store/users/users';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../../../support/servers/other-server';
import { chatIn } from '../../../support/kernel/parts';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: OtherServer;

beforeAll(async () => {
  other = await openOtherServer();
  cluster = await openCluster({ ...OTHER_SERVER, RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
  await owner.patch('/realm', { inline_url_embed_preview: true });
  await startWorkers(cluster, 'chat-previews');
});
afterAll(async () => {
  await cluster.close();
  await other.close();
});

let pages = 0;
/** A page that is new to the server. */
function page(html: string, headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' }): string {
  const path = `/page-${(pages += 1)}`;
  other.at(path, (response) => void response.writeHead(200, headers).end(html));
  return other.url(path);
}
const about = (title: string): string =>
  `<html><head><meta property="og:title" content="${title}"><meta property="og:description" content="All about it">` +
  '<meta property="og:image" content="/rock.jpg"></head></html>';

async function send(content: string, to: Record<string, unknown> = { type: 'stream', to: 'test', topic: 'pages' }) {
  const { body } = await member.post('/messages', { ...to, content });
  return body.id as number;
}
async function renderedOf(id: number): Promise<string> {
  const query = { anchor: id, num_before: 0, num_after: 0 };
  return ((await member.get('/messages', query)).body.messages as { content: string }[])[0]!.content;
}
const embedded = (id: number) =>
  until(
    () => renderedOf(id),
    (html) => html.includes('message_embed'),
  );
/** Resolves when a later message shows its page. */
const afterAnother = async () => void (await embedded(await send(page(about('Later')))));

describe('Messages that link a page', () => {
  test('A link preview shows title, description and picture, and is published as update_message', async () => {
    const heard = await owner.listen(['message', 'update_message']);
    const url = page(about('The &quot;Rock&quot;'));
    const id = await send(`see ${url}`);
    const image = externalPath(node.kernel.secrets, other.url('/rock.jpg'));
    const expected =
      `<p>see <a href="${url}" target="_blank" title="${url}">${url}</a></p>\n` +
      `<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(${image})" target="_blank"></a>` +
      `<div class="data-container"><div class="message_embed_title"><a href="${url}" target="_blank" title="The &quot;Rock&quot;">The "Rock"</a></div>` +
      '<div class="message_embed_description">All about it</div></div></div>';
    expect(await embedded(id)).toBe(expected);
    const [sent, updated] = await heard();
    expect(sent!['message'].content).not.toContain('message_embed');
    expect(updated).toEqual({
      type: 'update_message',
      sender: 'member@example.com',
      message_id: id,
      message_ids: [id],
      rendering_only: true,
      content: `see ${url}`,
      rendered_content: expected,
      flags: [],
    });
    const { body: history } = await member.get(`/messages/${id}/history`);
    expect(history.message_history).toHaveLength(1);
  });

  test('A link in a private message gets a preview', async () => {
    const url = page(about('Secret'));
    expect(await embedded(await send(url, { type: 'private', to: [owner.id] }))).toContain('Secret');
  });

  test('A page that is linked again gets its preview from the cache', async () => {
    const url = page(about('Once'));
    await embedded(await send(url));
    const path = new URL(url).pathname;
    await embedded(await send(`again: ${url}`));
    expect(other.received.filter((each) => each.path === path)).toHaveLength(1);
  });

  test('An edit that adds a link gives the message a preview', async () => {
    const id = await send('nothing yet');
    const url = page(about('Edited'));
    await member.patch(`/messages/${id}`, { content: `now ${url}` });
    expect(await embedded(id)).toContain('Edited');
  });

  test('A preview follows redirects and resolves picture URLs against the final page', async () => {
    other.at('/moved', (response) => void response.writeHead(301, { location: '/deep/place' }).end());
    other.at('/deep/place', (response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<h1>Deep</h1><p>Text</p><img src="x.png">');
    });
    const html = await embedded(await send(other.url('/moved')));
    expect(html).toContain(`url(${externalPath(node.kernel.secrets, other.url('/deep/x.png'))})`);
  });

  test("A preview decodes a page in the page's own character encoding", async () => {
    const latin = Buffer.from(about('Caf\u00e9'), 'latin1');
    other.at('/latin', (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' }).end(latin);
    });
    expect(await embedded(await send(other.url('/latin')))).toContain('Café');
  });
});

describe('Messages without a preview', () => {
  test.each<[string, () => string]>([
    ['for a page without a picture', () => page('<title>Plain</title>')],
    ['for a resource that is no HTML page', () => page('{"a":1}', { 'content-type': 'application/json' })],
    ['for a file that only claims to be HTML', () => page('PNG...', { 'content-type': 'text/html' })],
    ['for a missing page', () => other.url('/missing')],
    ['for a private address', () => 'http://10.0.0.1/'],
    ['for a host name of a private address', () => 'http://inside.example/'],
    ['in a quote', () => `> ${page(about('Quoted'))}`],
    ['for more than five links', () => [1, 2, 3, 4, 5, 6].map(() => page(about('Many'))).join(' ')],
  ])('No preview is shown %s', async (_, contentOf) => {
    const id = await send(contentOf());
    await afterAnother();
    expect(await renderedOf(id)).not.toContain('message_embed');
  });

  test('No preview is shown for a page that redirects to a private address', async () => {
    other.at('/inside', (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    const id = await send(other.url('/inside'));
    await afterAnother();
    expect(await renderedOf(id)).not.toContain('message_embed');
  });

  test('No preview is shown for a message that a bot sent', async () => {
    const helper = await userOf(node, 'helper-bot');
    const url = page(about('By a bot'));
    const { body } = await helper.post('/messages', { type: 'stream', to: 'test', topic: 'pages', content: url });
    await afterAnother();
    expect(await renderedOf(body.id as number)).not.toContain('message_embed');
    expect(other.received.map(({ path }) => path)).not.toContain(new URL(url).pathname);
  });

  test('No preview is stored for a message deleted meanwhile, and the worker goes on', async () => {
    let answer = () => {};
    other.at('/slow', (response) => {
      answer = () => void response.writeHead(200, { 'content-type': 'text/html' }).end(about('Slow'));
    });
    const id = await send(other.url('/slow'));
    await until(
      () => Promise.resolve(other.received.some(({ path }) => path === '/slow')),
      (isRequested) => isRequested,
    );
    await owner.del(`/messages/${id}`);
    answer();
    await afterAnother();
  });
});

test('A preview escapes everything that a hostile page puts in its tags', async () => {
  const hostile = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
  const html = await embedded(
    await send(
      page(
        `<meta property="og:title" content="${hostile}"><meta property="og:description" content="${hostile}">` +
          '<meta property="og:image" content="https://a.example/x);}body{display:none">',
      ),
    ),
  );
  expect(html).not.toMatch(/<script|display:none"/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const image = externalPath(node.kernel.secrets, 'https://a.example/x%29;%7Dbody%7Bdisplay:none');
  expect(html).toContain(`style="background-image: url(${image})"`);
});

test('An organisation with previews turned off fetches no pages', async () => {
  const chat = chatIn(node);
  const by = (await users.byEmail(chat.mysql, (await getRealm(chat)).id, 'member@example.com'))!;
  /** The node caches the setting for a second. */
  const want = async (isWanted: boolean) => {
    await owner.patch('/realm', { inline_url_embed_preview: isWanted });
    await until(async () => (await wantsPreviews(chat, by, ['http://a.example/'])) === isWanted);
  };
  await want(false);
  const url = page(about('Unwanted'));
  const id = await send(url);
  await want(true);
  await afterAnother();
  expect(await renderedOf(id)).not.toContain('message_embed');
  expect(other.received.map(({ path }) => path)).not.toContain(new URL(url).pathname);
});
