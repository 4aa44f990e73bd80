/** Faults about an organisation as a whole, with the messages that Zulip's clients know. */
import { badRequest, plain } from '../faults';

export const invalidDomain = (mistake: string) => plain(`Invalid domain: ${mistake}`);
export const domainTaken = (domain: string) => plain(`The domain ${domain} is already a part of your organization.`);
export const noSuchDomain = (domain: string) => plain(`No entry found for domain ${domain}.`);
export const tooManyDomains = (most: number) => plain(`An organization has at most ${most} domains.`);
export const addressNotAllowed = (email: string) => plain(`Email '${email}' not allowed in this organization`);
export const aliasNotAllowed = () => plain('Email addresses containing + are not allowed.');

export const noVideoCalls = () => plain('This server has no account at Zoom to begin video calls with');
export const noReports = () => plain('This server collects no reports of clients');

export const noSuchExport = () => plain('Invalid data export ID');
export const exportDeleted = () => plain('Export already deleted');
export const exportNotReady = () => plain('The export is not finished yet');
export const exportUnderWay = () => plain('An export is under way already');
export const tooManyExports = () => plain('Exceeded rate limit.');
export const exportTooLarge = () => plain('The organization has too many files to be exported (limit: 10 GiB)');

export const invalidGroupName = (name: string) => badRequest(`Invalid default stream group name '${name}'`);
export const groupTaken = (name: string) => badRequest(`Default stream group '${name}' already exists`);
export const noSuchStreamGroup = (id: number) => badRequest(`Default stream group with id '${id}' does not exist.`);
export const unknownStreamGroup = (name: string) => badRequest(`Invalid default stream group ${name}`);
export const sameGroupName = (name: string) => badRequest(`This default stream group is already named '${name}'`);
export const nothingNewOfGroup = () => plain('You must pass "new_description" or "new_group_name".');
export const badGroupOp = () => plain('Invalid value for "op". Specify one of "add" or "remove".');
export const isDefaultAlready = (stream: string, group: string) =>
  badRequest(`'${stream}' is a default stream and cannot be added to '${group}'`);
export const isInGroup = (stream: string, group: string) =>
  badRequest(`Stream '${stream}' is already present in default stream group '${group}'`);
export const isNotInGroup = (stream: string, group: string) =>
  badRequest(`Stream '${stream}' is not present in default stream group '${group}'`);
export const tooManyGroups = (most: number) => badRequest(`An organization has at most ${most} default stream groups`);
export const tooManyInGroup = (most: number) => badRequest(`A default stream group has at most ${most} streams`);
