/** The operators: who may look, who may change, and their keys. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormError, Section } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { momentOf } from '../data/amounts';
import { useLive } from '../data/use-live';
import { useMayChange, useSession } from '../session/session';
import { Action, ActionTable, RowActions, Trouble } from '../shell/parts';
import { KeyDialog, type NewKey } from './key-dialog';
import classes from '../shell/parts.module.css';

interface OperatorLine {
  readonly name: string;
  readonly access: 'read' | 'full';
  readonly created_at: string;
}

const SELDOM_MS = 15_000;

export function Operators() {
  const mayChange = useMayChange();
  const { answer, error, reload } = useLive<{ operators: readonly OperatorLine[] }>('/operators', {}, SELDOM_MS);
  const [made, setMade] = useState<NewKey>();
  const showKey = (next: NewKey): void => {
    setMade(next);
    reload();
  };
  return (
    <>
      <Trouble error={error} />
      <ActionTable label={t('ops.operators')} heads={[t('ops.name'), t('ops.access'), t('ops.added')]}>
        {answer?.operators.map((operator) => (
          <Row key={operator.name} operator={operator} onKey={showKey} after={reload} />
        ))}
      </ActionTable>
      {mayChange && <NewOperator onKey={showKey} />}
      {made && <KeyDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

interface RowProps {
  readonly operator: OperatorLine;
  readonly onKey: (made: NewKey) => void;
  readonly after: () => void;
}

function Row({ operator: { name, access, created_at: created }, onKey, after }: RowProps) {
  const isOwn = useSession(({ session }) => session?.signed_in === true && session.name === name);
  const path = `/operators/${encodeURIComponent(name)}`;
  const other = access === 'full' ? 'read' : 'full';
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{t(`opsAccess.${access}`)}</td>
      <td>{momentOf(created)}</td>
      <RowActions>
        <Action
          label={t('ops.newKey')}
          of={name}
          question={t('ops.newKeyQuestion', { name })}
          run={async () => onKey(await ops.post<NewKey>(`${path}/key`))}
          done={t('ops.done')}
        />
        {!isOwn && (
          <>
            <Action
              label={t(other === 'read' ? 'ops.makeReader' : 'ops.makeFull')}
              of={name}
              run={() => ops.patch(path, { access: other })}
              done={t('ops.done')}
              after={after}
            />
            <Action
              label={t('ops.removeOperator')}
              of={name}
              question={t('ops.removeOperatorQuestion', { name })}
              run={() => ops.remove(path)}
              done={t('ops.done')}
              after={after}
            />
          </>
        )}
      </RowActions>
    </tr>
  );
}

const EMPTY = { name: '', access: 'read' };

function NewOperator({ onKey }: { onKey: (made: NewKey) => void }) {
  const form = useForm(EMPTY);
  const add = form.submit(async (values) => {
    onKey(await ops.post<NewKey>('/operators', values));
    form.reset(EMPTY);
  });
  return (
    <Section title={t('ops.addOperator')}>
      <form className={classes.search} onSubmit={add}>
        <TextInput label={t('ops.name')} required withAsterisk={false} maxLength={100} {...form.input('name')} />
        <NativeSelect
          label={t('ops.access')}
          data={(['read', 'full'] as const).map((value) => ({ value, label: t(`opsAccess.${value}`) }))}
          value={form.values.access}
          onChange={(event) => form.set('access', event.currentTarget.value)}
        />
        <Button type="submit" loading={form.isBusy}>
          {t('action.add')}
        </Button>
      </form>
      <FormError text={form.error} />
    </Section>
  );
}
