/** Requests that FreePBX 16 refuses, and its messages. All are HTTP 400. */
import * as fields from '../../../src/telephony/actors/pbx-instance/freepbx/freepbx-fields';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import * as wire from './freepbx-exchange';
import { exchange, refused, said, type Exchange } from './freepbx-exchange';

const WRONG_TECH = 'The existing driver not support this tech(nosuch) option . Please use pjsip instead';
const NO_QUERY = 'GraphQL Request must include at least one of those two parameters: "query" or "queryId"';
const NULLABLE_ID = 'query ($id: ID) { fetchApiStatus(txnId: $id) { status message } }';

/** What the driver sends about an extension: with less, FreePBX gives another message. */
function sentByDriver(number: number) {
  const data = dataFor({ data: { name: 'Nobody', voicemail_email: 'nobody@example.com' } }, number);
  const extension = { number, ...data, secret: '0123456789abcdef0123456789abcdef', voicemail_vmpwd: '471147' };
  const context = { key: 'op-9', deadlineMs: 1000 };
  const { extensionId, ...whole } = fields.extensionInput(extension, context);
  return {
    update: { input: { extensionId, ...whole, extPassword: extension.secret } },
    delete: { input: { extensionId, clientMutationId: context.key } },
    enable: { input: fields.mailboxInput(extension) },
  };
}

/** `none` is an extension that does not exist, `one` one that does. */
export function refusals(none: string, one: string): Exchange[] {
  const { email: _, ...withoutEmail } = wire.add(none).input;
  const sent = sentByDriver(Number(none));
  const missing = refused('Extension does not exists.');
  const add = (title: string, input: object, message: string) =>
    exchange(`addExtension of ${title}`, wire.ADD, input, refused(message));
  return [
    exchange('fetchExtension of a missing one', wire.FETCH, { id: none }, refused('Extension does not exists')),
    exchange('the same with its device', wire.FETCH_WHOLE, { id: none }, refused('Internal server error')),
    exchange('updateExtension of a missing one', wire.UPDATE, sent.update, missing),
    exchange(
      'updateExtension of a missing one without its name is 200 and says neither yes nor no',
      wire.UPDATE,
      { input: { extensionId: none } },
      said('updateExtension', null, { clientMutationId: null }),
    ),
    exchange('deleteExtension of a missing one', wire.DELETE, sent.delete, missing),
    exchange('enableVoiceMail of a missing one', wire.ENABLE, sent.enable, missing),
    add('one that is there', wire.add(one), 'This device id is already in use'),
    add('letters', wire.add('70x'), 'Please enter only numeric values'),
    add('another tech', wire.add(none, { tech: 'nosuch' }), WRONG_TECH),
    add(
      'a user without password',
      wire.add(none, { umEnable: true }),
      'User management is enabled please provide password',
    ),
    invalid('no email', withoutEmail, 'Field value.email of required type String! was not provided.'),
    invalid(
      'an unknown field',
      wire.add(none, { nosuch: 'x' }).input,
      'Field "nosuch" is not defined by type addExtensionInput.',
    ),
    invalid(
      'a word where a boolean belongs',
      wire.add(none, { vmEnable: 'yes' }).input,
      'Expected type Boolean at value.vmEnable; Cannot represent value as boolean: yes',
    ),
    ...malformed(),
  ];
}

/** Its response repeats the whole input, including secrets. */
function invalid(title: string, input: object, wrong: string): Exchange {
  const message = expect.stringMatching(`^Variable "\\$input" got invalid value .*; ${wrong}$`) as string;
  return exchange(`addExtension with ${title}`, wire.ADD, { input }, refused(message));
}

function malformed(): Exchange[] {
  const unknown = 'query { fetchExtension(extensionId: "1") { nosuch } }';
  const pageInfo = 'query { fetchAllExtensions(first: 1) { pageInfo { hasNextPage } } }';
  const nullable = 'Variable "$id" of type "ID" used in position expecting type "ID!".';
  return [
    exchange('an unknown field', unknown, {}, refused('Cannot query field "nosuch" on type "extension".')),
    exchange('half a query', 'query { system { version', {}, refused('Syntax Error: Expected Name, found <EOF>')),
    exchange('an empty query', '', {}, refused(NO_QUERY)),
    exchange('fetchApiStatus with a variable that may be null', NULLABLE_ID, { id: '1' }, refused(nullable)),
    exchange('pageInfo', pageInfo, {}, refused('Internal server error')),
  ];
}
