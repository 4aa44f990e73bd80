/** The company's audit trail. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../shared/tables/table';
import { t, useLanguage, type TextKey } from '../../shared/texts/texts';
import { refusalText } from '../../shared/texts/refusals';
import { FormError } from '../../shared/forms/section';
import { Pager } from '../../shared/tables/pager';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { nameOf, type Contact } from '../wire';
import table from '../../shared/tables/table.module.css';

interface AuditLine {
  readonly id: number;
  readonly contact_id: string | null;
  readonly address: string;
  readonly action: string;
  readonly object_id: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: string;
}

const PAGE = 50;
/** Users beyond this number are shown by id. */
const MAX_PEOPLE = 1000;
/** Texts by the API's action names. */
const DID: Readonly<Record<string, TextKey>> = {
  'session.open': 'portal.did.sessionOpen',
  'session.end': 'portal.did.sessionEnd',
  'password.set': 'portal.did.passwordSet',
  'key.create': 'portal.did.keyCreate',
  'key.delete': 'portal.did.keyDelete',
  'company.update': 'portal.did.companyUpdate',
  'contact.create': 'portal.did.contactCreate',
  'contact.update': 'portal.did.contactUpdate',
  'contact.delete': 'portal.did.contactDelete',
  'contact.invite': 'portal.did.contactInvite',
  'contact.accept': 'portal.did.contactAccept',
  'contact.mail': 'portal.did.contactMail',
  'webhook.create': 'portal.did.webhookCreate',
  'webhook.update': 'portal.did.webhookUpdate',
  'webhook.rotate': 'portal.did.webhookRotate',
  'webhook.delete': 'portal.did.webhookDelete',
  'location.create': 'portal.did.locationCreate',
  'location.update': 'portal.did.locationUpdate',
  'location.delete': 'portal.did.locationDelete',
  'extension.create': 'portal.did.extensionCreate',
  'extension.update': 'portal.did.extensionUpdate',
  'extension.delete': 'portal.did.extensionDelete',
  'extension.show': 'portal.did.extensionShow',
  'bulk.create': 'portal.did.bulkCreate',
  'template.create': 'portal.did.templateCreate',
  'template.delete': 'portal.did.templateDelete',
  'file.delete': 'portal.did.fileDelete',
  'fax.delete': 'portal.did.faxDelete',
  'optout.delete': 'portal.did.optoutDelete',
  'recording.hear': 'portal.did.recordingHear',
  'recording.delete': 'portal.did.recordingDelete',
  'message.hear': 'portal.did.messageHear',
  'message.delete': 'portal.did.messageDelete',
  'call.retention': 'portal.did.callRetention',
};

const wordsOf = (action: string): string => (DID[action] ? t(DID[action]) : action);

export function Audit() {
  const [filter, setFilter] = useState({ action: '', contact_id: '', object_id: '' });
  const [page, setPage] = useState(1);
  const query = { ...filter, page, per_page: PAGE };
  const people = useLoaded('people', () =>
    api.list<Contact>('/system/company/contacts', { items_per_page: MAX_PEOPLE }),
  );
  const lines = useLoaded(JSON.stringify(query), () => api.list<AuditLine>('/company/audit', query));
  const names = new Map(people.value?.items.map((contact) => [contact.id, nameOf(contact)]));
  const choose = (change: Partial<typeof filter>): void => {
    setFilter((before) => ({ ...before, ...change }));
    setPage(1);
  };
  return (
    <>
      <div className={table.bar}>
        <Select
          label={t('portal.action')}
          data={Object.keys(DID).map((value) => ({ value, label: wordsOf(value) }))}
          value={filter.action === '' ? null : filter.action}
          onChange={(value) => choose({ action: value ?? '' })}
          clearable
          searchable
        />
        <Select
          label={t('portal.who')}
          data={[...names].map(([value, label]) => ({ value, label }))}
          value={filter.contact_id === '' ? null : filter.contact_id}
          onChange={(value) => choose({ contact_id: value ?? '' })}
          clearable
          searchable
        />
        <TextInput
          label={t('portal.object')}
          value={filter.object_id}
          onChange={(event) => choose({ object_id: event.currentTarget.value.trim() })}
        />
      </div>
      <FormError text={lines.error} />
      <DataTable
        label={t('portal.audit')}
        heads={[t('portal.when'), t('portal.who'), t('portal.action'), t('portal.detail')]}
        isLoading={lines.isLoading}
      >
        {lines.value?.items.map(({ id, at, contact_id: who, address, action, object_id: object, detail }) => (
          <tr key={id}>
            <td>{new Date(at).toLocaleString(useLanguage.getState().locale)}</td>
            <td>
              {who === null ? t('portal.operator') : (names.get(who) ?? who)}
              <small>{address}</small>
            </td>
            <td>
              {detail['failed'] === undefined ? wordsOf(action) : t('portal.didFail', { action: wordsOf(action) })}
              <small>{object}</small>
            </td>
            <td className={table.words}>
              <Detail detail={detail} />
            </td>
          </tr>
        ))}
      </DataTable>
      <Pager page={page} size={PAGE} total={lines.value?.total ?? 0} onPage={setPage} />
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Changes = Readonly<Record<string, readonly [string, string]>>;

/** Before and after of each field that was changed, or the facts of any other action. */
function Detail({ detail: { fields, changes, failed, ...facts } }: { detail: AuditLine['detail'] }) {
  const shown = { ...facts, ...(changes === undefined && fields !== undefined && { fields }) };
  return (
    <>
      {typeof failed === 'string' && <div>{refusalText(failed)}</div>}
      {Object.entries((changes ?? {}) as Changes).map(([name, [before, after]]) => (
        <div key={name}>{t('portal.changedFromTo', { name, before: before || '–', after: after || '–' })}</div>
      ))}
      {Object.entries(shown)
        .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : textOf(value)}`)
        .join('; ')}
    </>
  );
}
