/** What each route may refuse, for the OpenAPI document: every status of the specification's tables, with a body. */
import { Fault } from '../../kernel/fault';
import type { RouteFacts } from '../../kernel/http/route';
import * as faults from '../model/faults';
import { textingRefusals } from './texting-refusals';

const pbxFailed = () => new Fault('upstream', 'The PBX answered 500; nothing was done');
const notAnswered = () => new Fault('timeout', 'No answer in time; it may still be done');
const busy = () => new Fault('unavailable', 'The server is busy or restarting; try again');
const noSuch = () => new Fault('missing', 'There is no such thing in this company');
const needed = () => faults.forbidden('The last location of a company cannot be removed');

const LIST = '/instances/:instance_uuid/bulks/extensions';
const ONE = `${LIST}/:extension_id`;
const CHANGED = [
  faults.invalid('data.dtmfmode: must be one of "rfc4733", "auto"'),
  faults.noExtension(),
  faults.noInstance(),
  faults.notYours('extension'),
  faults.unassignedIsOwners(),
  pbxFailed(),
];

/** Beside what holds for every route; routes that are not here have nothing of their own. */
const OWN: Readonly<Record<string, readonly Fault[]>> = {
  'patch /company': [faults.notOwner()],
  'get /company/audit': [faults.notOwner()],
  'post /company/contacts': [
    faults.invalid('work_email: is required'),
    faults.emailTaken('a@example.com'),
    faults.companyFull(10),
    faults.notOwner(),
  ],
  'get /company/contacts/:contact_id': [faults.noContact()],
  'patch /company/contacts/:contact_id': [faults.otherCompany(), faults.notYours('user'), faults.noContact()],
  'delete /company/contacts/:contact_id': [faults.notOwner(), faults.noContact()],
  'post /company/contacts/:contact_id/invitation': [faults.notOwner(), faults.noContact()],
  'post /company/locations': [faults.invalid('name: is required'), faults.notOwner()],
  'patch /company/locations/:location_id': [faults.otherCompany(), faults.notOwner(), faults.noLocation()],
  'delete /company/locations/:location_id': [faults.notOwner(), needed(), faults.noLocation()],
  'get /instances/:instance_uuid/drift': [faults.notOwner(), faults.noInstance(), faults.noReport()],
  'post /instances/:instance_uuid/drift': [faults.notOwner(), faults.noInstance(), pbxFailed(), notAnswered()],
  'get /instances/:instance_uuid/dids/callerids': [faults.noInstance()],
  [`get ${LIST}`]: [faults.noExtensions(), faults.noInstance()],
  'get /instances/:instance_uuid/extensions': [faults.noExtensions(), faults.noInstance()],
  [`get ${ONE}`]: [faults.noExtension(), faults.noInstance()],
  'get /instances/:instance_uuid/extensions/:extension_id': [faults.noExtension(), faults.noInstance()],
  'get /account/:contact_id/extensions': [faults.noContact()],
  [`post ${LIST}`]: [
    faults.invalid('data.name: is required'),
    faults.numberTaken(101),
    faults.noInstance(),
    pbxFailed(),
  ],
  [`post ${LIST}/check`]: [
    faults.invalid('There is an extension 101 on this instance already'),
    faults.invalid('email: is required'),
    faults.noInstance(),
  ],
  [`post ${LIST}/import`]: [faults.invalid('mode: is not valid'), faults.noInstance()],
  'get /bulks/:bulk_id': [faults.noBulkOrder()],
  [`put ${ONE}`]: CHANGED,
  [`patch ${ONE}`]: CHANGED,
  [`delete ${ONE}`]: CHANGED.slice(1),
  'get /operations/:operation_id': [faults.noOperation()],
  'get /events': [faults.eventsForgotten(7)],
  'post /files/:file_id/upload': [faults.noUpload(), faults.notYours('file'), faults.fileInUse(), faults.noFile()],
  'delete /files/:file_id': [faults.notYours('file'), faults.fileInUse(), faults.noFile()],
  'get /files/:file_id/download/:name': [faults.addressNotValid(), faults.noContent()],
  'patch /status/current-user': [faults.noContact()],
  'patch /status/v2/current-user': [faults.noContact()],
  'post /invitations/accept': [faults.noInvitation(), faults.invitationExpired()],
  ...textingRefusals,
};

export function refusalsOf({ method, path, authenticated }: RouteFacts): readonly Fault[] {
  const own = OWN[`${method} ${path}`] ?? (path.includes(':') ? [noSuch()] : []);
  const callers = authenticated ? [faults.keyRequired(), faults.invalidKey(), faults.unknownUser()] : [];
  return [...callers, ...own, busy()];
}
