/** The operators' audit trail, newest first. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../shared/tables/table';
import { t, type TextKey } from '../../shared/texts/texts';
import { momentOf, numberOf } from '../data/amounts';
import { useLive } from '../data/use-live';
import type { AuditEntry } from '../data/wire';
import { Empty, Trouble } from '../shell/parts';
import forms from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

const PAGE = 100;

/** Texts by the API's action names. */
const DID: Readonly<Record<string, TextKey>> = {
  'sign-in': 'ops.did.signIn',
  'sign-out': 'ops.did.signOut',
  add: 'ops.did.add',
  invite: 'ops.did.invite',
  'operator-add': 'ops.did.operatorAdd',
  'operator-change': 'ops.did.operatorChange',
  'operator-key': 'ops.did.operatorKey',
  'operator-remove': 'ops.did.operatorRemove',
  connect: 'ops.did.connect',
  change: 'ops.did.change',
  test: 'ops.did.test',
  disconnect: 'ops.did.disconnect',
  deactivate: 'ops.did.deactivate',
  reactivate: 'ops.did.reactivate',
  limit: 'ops.did.limit',
  pause: 'ops.did.pause',
  resume: 'ops.did.resume',
  retry: 'ops.did.retry',
  discard: 'ops.did.discard',
  replay: 'ops.did.replay',
};
const BY: Readonly<Record<string, TextKey>> = {
  api: 'ops.by.api',
  cli: 'ops.by.cli',
  console: 'ops.by.console',
};

const wordsOf = (words: typeof DID, code: string): string => (words[code] ? t(words[code]) : code);

export function Trail() {
  const [before, setBefore] = useState<number>();
  const { answer, error } = useLive<{ entries: readonly AuditEntry[] }>('/audit', { limit: PAGE, before });
  const entries = answer?.entries ?? [];
  const heads = [t('ops.when'), t('ops.who'), t('ops.via'), t('ops.action'), t('ops.target'), t('ops.count')];
  return (
    <>
      <Trouble error={error} />
      {answer && entries.length === 0 && <Empty>{t('ops.nothingDone')}</Empty>}
      {entries.length > 0 && (
        <DataTable label={t('ops.trail')} heads={heads}>
          {entries.map(({ id, at, operator, via, action, target, count }) => (
            <tr key={id}>
              <td className={table.number}>{momentOf(at)}</td>
              <td>{operator}</td>
              <td>{wordsOf(BY, via)}</td>
              <td>{wordsOf(DID, action)}</td>
              <td className={table.words}>{target}</td>
              <td className={table.number}>{count === null ? '' : numberOf(count)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      <div className={forms.actions}>
        {before !== undefined && (
          <Button variant="default" onClick={() => setBefore(undefined)}>
            {t('ops.newest')}
          </Button>
        )}
        {entries.length === PAGE && (
          <Button variant="default" onClick={() => setBefore(entries.at(-1)!.id)}>
            {t('ops.older')}
          </Button>
        )}
      </div>
    </>
  );
}
