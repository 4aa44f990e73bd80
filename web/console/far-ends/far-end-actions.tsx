/** What an operator can do with a far end: test, change and disconnect it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { ops } from '../data/api';
import { Action } from '../shell/parts';
import { ChangeDialog } from './change-dialog';
import { TestForm } from './test-form';
import { pathOf, type FarEnd, type FarEndForm } from './wire';

interface FarEndActionsProps {
  readonly farEnd: FarEnd;
  readonly form: FarEndForm;
  readonly after: () => void;
}

export function FarEndActions({ farEnd, form, after }: FarEndActionsProps) {
  const [open, setOpen] = useState<'test' | 'change'>();
  const of = `${farEnd.tenant_name ?? ''} ${farEnd.name}`.trim();
  const close = (): void => setOpen(undefined);
  return (
    <>
      {(['test', 'change'] as const).map((action) => (
        <Button
          key={action}
          size="compact-sm"
          variant="default"
          aria-label={`${t(`farEndAction.${action}`)}: ${of}`}
          onClick={() => setOpen(action)}
        >
          {t(`farEndAction.${action}`)}
        </Button>
      ))}
      <Action
        label={t('farEndAction.disconnect')}
        of={of}
        question={t('farEnd.disconnectQuestion', { name: of })}
        run={() => ops.remove(pathOf(farEnd))}
        done={t('ops.done')}
        after={after}
      />
      {open === 'test' && (
        <Dialog opened onClose={close} title={t('farEnd.testOf', { name: farEnd.name })}>
          <TestForm of={farEnd} fields={form.test_fields} after={after} />
        </Dialog>
      )}
      {open === 'change' && <ChangeDialog farEnd={farEnd} form={form} onClose={close} after={after} />}
    </>
  );
}
