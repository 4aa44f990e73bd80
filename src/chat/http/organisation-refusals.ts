/** What endpoints about the organisation as a whole, and the tour of it, may refuse, for the OpenAPI document. */
import type { Fault } from '../../kernel/fault';
import * as organisation from '../model/organisation-faults';
import * as streams from '../model/stream-faults';
import { adminsOnly, unknownHotspot } from '../model/user-faults';
import { noSlash, noSuchCommand } from '../model/zcommand';

const noDomain = organisation.noSuchDomain('example.com');
const noGroup = organisation.noSuchStreamGroup(99);
const streamsOfGroup = [
  streams.invalidStreamName('nowhere'),
  streams.privateDefault(),
  organisation.isDefaultAlready('general', 'newcomers'),
];

export const ORGANISATION_REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'post /users/me/hotspots': [unknownHotspot('nothing')],
  'post /zcommand': [noSlash(), noSuchCommand('nothing')],
  'post /realm/deactivate': [adminsOnly()],
  'post /export/realm': [
    adminsOnly(),
    organisation.exportUnderWay(),
    organisation.tooManyExports(),
    organisation.exportTooLarge(),
  ],
  'get /export/realm': [adminsOnly()],
  'get /export/realm/:export_id/archive': [
    adminsOnly(),
    organisation.noSuchExport(),
    organisation.exportNotReady(),
    organisation.exportDeleted(),
  ],
  'delete /export/realm/:export_id': [adminsOnly(), organisation.noSuchExport(), organisation.exportDeleted()],
  'get /calls/create': [organisation.noVideoCalls()],
  ...Object.fromEntries(
    ['error', 'send_times', 'narrow_times', 'unnarrow_times'].map((kind) => [
      `post /report/${kind}`,
      [organisation.noReports()],
    ]),
  ),
  'post /realm/domains': [
    adminsOnly(),
    organisation.invalidDomain('it has no dot'),
    organisation.domainTaken('example.com'),
  ],
  'patch /realm/domains/:domain': [adminsOnly(), noDomain],
  'delete /realm/domains/:domain': [adminsOnly(), noDomain],
  'post /default_stream_groups/create': [
    adminsOnly(),
    organisation.invalidGroupName(' '),
    organisation.groupTaken('newcomers'),
    ...streamsOfGroup,
  ],
  'patch /default_stream_groups/:stream_group_id': [
    adminsOnly(),
    noGroup,
    organisation.nothingNewOfGroup(),
    organisation.sameGroupName('newcomers'),
    organisation.groupTaken('newcomers'),
  ],
  'patch /default_stream_groups/:stream_group_id/streams': [
    adminsOnly(),
    noGroup,
    organisation.badGroupOp(),
    organisation.isInGroup('general', 'newcomers'),
    organisation.isNotInGroup('general', 'newcomers'),
    ...streamsOfGroup,
  ],
  'delete /default_stream_groups/:stream_group_id': [adminsOnly(), noGroup],
};
