/** One company's objects, created again for each caller that tries them. */
import { until } from '../../support/until';
import { callRecord, storeCalls } from '../../support/telephony/calls/stored-calls';
import { INSTANCE_ONE, type Person } from '../../api/telephony/people';
import type { TelephonyStack } from '../../support/telephony/telephony';

/** By the names of path parameters. */
export type CompanyThings = Readonly<Record<string, string>>;

const OURS = '+15550100001';
let made = 0;

const done = async (answer: ReturnType<Person>) => {
  const { status, body, text } = await answer;
  if (status >= 400) throw new Error(`${status} ${text}`);
  return body;
};

export const nextNumber = () => 7000 + (made += 1);
export const nextPhone = () => `+1555030${String((made += 1)).padStart(4, '0')}`;

export function filled(): FormData {
  const form = new FormData();
  form.append('upfile', new Blob(['a secret'], { type: 'text/plain' }), 'plans.txt');
  return form;
}

/** With one message for the request that deletes several, and one for the request that deletes one. */
async function beginConversation(owner: Person, number: string): Promise<CompanyThings> {
  const draft = { recipients: [{ number }], from_number: OURS };
  const { id } = await done(owner('POST', '/texting/conversations', draft));
  const say = async () => (await done(owner('POST', `/texting/conversations/${id}/messages`, { text: 'a secret' }))).id;
  return { conversation_id: id, message_id: await say(), listed_message: await say() };
}

async function uploaded(owner: Person): Promise<string> {
  const { id } = await done(owner('POST', '/files', { name: 'plans.txt' }));
  await done(owner('POST', `/files/${id}/upload`, undefined, { raw: filled() }));
  return id;
}

export async function furnishCompany({ people: { owner }, worker }: TelephonyStack): Promise<CompanyThings> {
  made += 1;
  const email = `victim-${made}@example.com`;
  const contact = await done(
    owner('POST', '/company/contacts', { first_name: 'Vic', last_name: 'Tim', contacts: { email } }),
  );
  const place = { name: 'Branch', country: 'US', state: 'NY', city: 'Albany', zip: '12084' };
  const location = await done(owner('POST', '/company/locations', place));
  const list = `/instances/${INSTANCE_ONE}/bulks/extensions`;
  const extension = await done(owner('POST', list, { data: { id: nextNumber(), name: 'a secret' } }));
  const later = { headers: { Prefer: 'respond-async' } };
  const operation = await done(owner('POST', list, { data: { id: nextNumber(), name: 'Later' } }, later));
  const bulk = await done(owner('POST', `${list}/import`, [{ data: { id: nextNumber(), name: 'Row' } }]));
  await until(
    () => owner('GET', `/bulks/${bulk.id}`),
    ({ body }) => body.state === 'finished',
  );
  const pbx = `/instances/${INSTANCE_ONE}`;
  const group = { number: nextNumber(), name: 'a secret', members: ['101'] };
  const ringGroup = await done(owner('POST', `${pbx}/ring-groups`, group));
  const did = { number: nextPhone(), name: 'a secret', destination: { type: 'busy' } };
  const outsideNumber = await done(owner('POST', `${pbx}/numbers`, did));
  const number = nextPhone();
  const first = await beginConversation(owner, number);
  const second = await beginConversation(owner, nextPhone());
  const [textingContact] = await done(owner('GET', `/texting/contacts?number=${encodeURIComponent(number)}`));
  const optOut = await done(owner('POST', '/texting/optouts', { from_number: OURS, number: nextPhone() }));
  const optedOut = nextPhone();
  await done(owner('POST', '/texting/optouts', { from_number: OURS, number: optedOut }));
  const file = await uploaded(owner);
  const faxed = await uploaded(owner);
  const fax = await done(owner('POST', '/fax/messages', { to: '+15550107777', from: OURS, file: faxed }));
  const destination = await done(owner('POST', '/fax/destinations', { emails: ['desk@example.com'] }));
  await storeCalls(worker, INSTANCE_ONE, [callRecord({ fromName: 'a secret' })]);
  const [call] = await done(owner('GET', `/instances/${INSTANCE_ONE}/calls?limit=1`));
  return {
    call_id: call._id,
    voicemail_id: '1794979400-00000000',
    contact_id: contact.id,
    location_id: location.id,
    instance_uuid: INSTANCE_ONE,
    extension_id: extension._id,
    extension_number: String(extension.data.id),
    operation_id: operation.id,
    bulk_id: bulk.id,
    ring_group_id: ringGroup.id,
    number_id: outsideNumber.id,
    ...first,
    ...Object.fromEntries(Object.entries(second).map(([name, id]) => [`v2_${name}`, id])),
    texting_contact_id: textingContact.id,
    optout_id: optOut.id,
    optout_number: optedOut,
    file_id: file,
    faxed_file: faxed,
    fax_id: fax.id,
    destination_id: destination.id,
  };
}
