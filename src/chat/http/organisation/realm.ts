/** The organisation's settings, the email domains with which users may join it, and its exports. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { fileHeaders } from '../../../kernel/files/stored-file';
import { FILE } from '../../../kernel/http/answers';
import { Download } from '../../../kernel/http/outgoing';
import { flag, integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { runRead } from '../../../kernel/mysql/read-packet';
import { deactivateOwnRealm } from '../../commands/organisation/realms';
import { addRealmDomain, changeRealmDomain, removeRealmDomain } from '../../commands/organisation/edit-realm-domains';
import { deleteExport, requestExport } from '../../commands/organisation/exports';
import { updateOwnRealm } from '../../commands/organisation/update-realm';
import { DONE } from '../../model/answers/envelope';
import { newDomainAnswer, realmDomainsAnswer, realmExportsAnswer } from '../../model/answers/organisation';
import { realmAnswer } from '../../model/answers/realm';
import { created } from '../../model/answers/users';
import { archiveName } from '../../model/organisation/export';
import * as faults from '../../model/organisation/organisation-faults';
import {
  REALM_DEFAULTS,
  REALM_SETTINGS,
  type RealmSetting,
  type RealmSettings,
} from '../../model/organisation/realm-settings';
import type { User } from '../../model/users/user';
import { adminsOnly } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { listExports, openArchive } from '../../queries/organisation/list-exports';
import { realmDomainsRead } from '../../queries/organisation/realm-lists';
import { looseString } from '../json-checks';

const { get, post, patch, del } = routesFor<User>();

function paramOf(name: RealmSetting): z.ZodType {
  if (name === 'message_retention_days') return z.union([z.literal('null').transform(() => null), integer]).optional();
  const usual = REALM_DEFAULTS[name];
  if (typeof usual === 'boolean') return flag.optional();
  return typeof usual === 'number' ? integer.optional() : looseString(name).optional();
}

const settings = Object.fromEntries(REALM_SETTINGS.map((name) => [name, paramOf(name)]));

export const realmRoutes = [
  patch('/realm', {
    summary: "Change the organisation's settings; administrators only",
    answer: realmAnswer,
    refuses: [adminsOnly()],
    params: { ...settings, name: looseString('name').optional(), description: looseString('description').optional() },
    run: async ({ kernel, by, params: { name, description, ...given } }) => {
      const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const changes = { name, description, settings: wanted as Partial<RealmSettings> };
      const changed = await updateOwnRealm(kernel, by, changes);
      // As in Zulip, the response says of texts only that they changed.
      return Object.fromEntries(
        Object.entries(changed).map(([key, value]) => [key, typeof value === 'string' ? 'updated' : value]),
      );
    },
  }),
  post('/realm/deactivate', {
    summary: 'Deactivate the organisation; administrators only',
    answer: DONE,
    refuses: [adminsOnly()],
    run: ({ kernel, by }) => deactivateOwnRealm(kernel.transaction, by),
  }),
  get('/realm/domains', {
    summary: "Get the organisation's domains",
    answer: realmDomainsAnswer,
    run: async ({ kernel, by }) => ({ domains: await runRead(kernel.mysql, realmDomainsRead(by.realmId)) }),
  }),
  post('/realm/domains', {
    summary: 'Add a domain; administrators only',
    answer: newDomainAnswer,
    refuses: [adminsOnly(), faults.invalidDomain('it has no dot'), faults.domainTaken('example.com')],
    params: { domain: looseString('domain'), allow_subdomains: flag },
    run: async ({ kernel, by, params: { domain, allow_subdomains: allowsSubdomains } }) => ({
      new_domain: await addRealmDomain(kernel.transaction, by, { domain, allowsSubdomains }),
    }),
  }),
  patch('/realm/domains/:domain', {
    summary: 'Allow or disallow the subdomains of a domain; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), faults.noSuchDomain('example.com')],
    params: { allow_subdomains: flag },
    run: ({ kernel, by, params: { domain, allow_subdomains: allowsSubdomains } }) =>
      changeRealmDomain(kernel.transaction, by, { domain, allowsSubdomains }),
  }),
  del('/realm/domains/:domain', {
    summary: 'Remove a domain; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), faults.noSuchDomain('example.com')],
    run: ({ kernel, by, params }) => removeRealmDomain(kernel.transaction, by, params.domain),
  }),
];

export const exportRoutes = (chat: Storage & Pick<Chat, 'realms'>) => [
  post('/export/realm', {
    summary: 'Export the public data of the organisation; administrators only',
    answer: created,
    refuses: [adminsOnly(), faults.exportUnderWay(), faults.tooManyExports(), faults.exportTooLarge()],
    run: ({ by }) => requestExport(chat, by),
  }),
  get('/export/realm', {
    summary: 'Get the exports of the organisation; administrators only',
    answer: realmExportsAnswer,
    refuses: [adminsOnly()],
    run: async ({ by }) => ({ exports: await listExports(chat, by) }),
  }),
  get('/export/realm/:export_id/archive', {
    summary: 'Get the archive of an export, a gzipped tar; administrators only',
    answer: FILE,
    refuses: [adminsOnly(), faults.noSuchExport(), faults.exportNotReady(), faults.exportDeleted()],
    params: { export_id: integer },
    async run({ by, params }) {
      const archive = await openArchive(chat.mysql, by, params.export_id);
      const { size } = archive;
      const { type, headers } = fileHeaders({ name: archiveName(archive), type: 'application/gzip', size });
      const digest = Buffer.from(archive.sha256, 'hex').toString('base64');
      return new Download(Readable.from(archive.chunks), type, { ...headers, 'Repr-Digest': `sha-256=:${digest}:` });
    },
  }),
  del('/export/realm/:export_id', {
    summary: 'Delete an export, or stop it; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), faults.noSuchExport(), faults.exportDeleted()],
    params: { export_id: integer },
    run: ({ by, params }) => deleteExport(chat, by, params.export_id),
  }),
];
