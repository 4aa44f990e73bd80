/** Compares the PBX with the database and repairs differences. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { refusalText } from '../../shared/texts/refusals';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { api, PBX_DEADLINE_MS } from '../http/api';

interface Report {
  readonly is_complete: boolean;
  readonly detail: string;
  readonly repaired: readonly number[];
  readonly unknown: readonly number[];
  readonly skipped: readonly { readonly number: number; readonly reason: string }[];
}

/** The message names so many; the list of extensions shows the rest. */
const MAX_NAMED = 3;

const MAX_NUMBERS = 12;

/** The first numbers, or 0. */
const namedOf = (numbers: readonly number[]): string =>
  numbers.slice(0, MAX_NUMBERS).join(', ') + (numbers.length > MAX_NUMBERS ? ` … (${numbers.length})` : '') || '0';

function wordsOf({ detail, skipped }: Report): string {
  if (skipped.length === 0) return refusalText(detail);
  const named = skipped.slice(0, MAX_NAMED).map(({ number, reason }) => `${number} (${refusalText(reason)})`);
  return t('portal.leftAlone', { count: skipped.length, list: named.join(', ') });
}

export function RepairButton({ uuid, onDone }: { uuid: string; onDone: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const repair = async (): Promise<void> => {
    setBusy(true);
    try {
      const report = await api.post<Report>(`/instances/${uuid}/drift`, {}, PBX_DEADLINE_MS);
      if (report.is_complete) {
        toast(t('portal.repaired', { repaired: namedOf(report.repaired), unknown: namedOf(report.unknown) }));
      } else toast(wordsOf(report), true);
      await onDone();
    } catch (error) {
      toast(messageOf(error), true);
    }
    setBusy(false);
  };
  return (
    <Button variant="default" loading={isBusy} title={t('portal.repairHint')} onClick={() => void repair()}>
      {t('portal.repair')}
    </Button>
  );
}
