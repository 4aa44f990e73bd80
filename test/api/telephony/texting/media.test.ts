import { openCarrierStack, type CarrierStack } from '../../../support/telephony/carrier-stack';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { inboundText, postAsCarrier } from './carrier-requests';

let stack: CarrierStack;
const TELNYX = '+15550100011';

beforeAll(async () => {
  stack = await openCarrierStack({ PUBLIC_URL: 'https://texts.example.com' });
  await stack.connect('telnyx', TELNYX);
  await startWorkers(stack.cluster, 'texting-inbound', 'texting-outbound');
});
afterAll(() => stack.close());

test('Pictures that arrive with a text are files by reference, owned by the contact who sent them', async () => {
  const from = '+15550104444';
  const media = [{ url: 'https://carrier.example/media/cat%20one.jpg', content_type: 'image/jpeg', size: 4096 }];
  await postAsCarrier(stack.node, inboundText({ from, text: 'a cat', media }));
  const list = () => stack.people.owner('GET', '/texting/conversations?search=15550104444');
  const { body } = await until(list, (answer) => answer.body.length === 1);
  const conversation = body[0];
  expect(conversation.lastmessage.files).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      company_id: conversation.company_id,
      description: '',
      mimetype: 'image/jpeg',
      name: 'cat-one.jpg',
      preview: {
        base64: expect.stringMatching(/^data:image\/svg/),
        filename: 'cat-one.jpg.svg',
        mimetype: 'image/svg+xml',
      },
      size: 4096,
      uploaded_at: expect.any(String),
      uploaded_name: 'cat-one.jpg',
      user_id: conversation.contact_id,
    },
  ]);
  const [file] = conversation.lastmessage.files;
  const content = await stack.people.owner('GET', `/files/${file.id}/content`);
  expect(content.status).toBe(302);
  expect(content.headers.get('location')).toBe(media[0]!.url);
  expect((await stack.people.stranger('GET', `/files/${file.id}`)).status).toBe(404);
});

test('The carrier fetches the files of a sent text at a signed address', async () => {
  const { body: file } = await stack.people.owner('POST', '/files', { name: 'map.pdf' });
  const raw = new FormData();
  raw.append('upfile', new Blob(['a map'], { type: 'application/pdf' }), 'map.pdf');
  await stack.people.owner('POST', `/files/${file.id}/upload`, undefined, { raw });
  const conversation = await stack.converse(TELNYX, '+15550103333');
  await conversation.reaches(await conversation.send('look', { files: [file.id] }), 'sent');
  const [url] = stack.carrier.seen.at(-1)!.fields.media_urls as [string];
  expect(url.startsWith(`https://texts.example.com/files/${file.id}/download/map.pdf?`)).toBe(true);
  const { pathname, search } = new URL(url);
  expect(await stack.node.call(`${pathname}${search}`)).toMatchObject({ status: 200, text: 'a map' });
});
