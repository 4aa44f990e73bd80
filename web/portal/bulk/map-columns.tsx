/** Maps columns to fields, tries every line, and places the order. */
import { Button, Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { FormError, Section } from '../../shared/forms/section';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Instance } from '../wire';
import { isOfMessages } from '../extensions/discard-voicemail';
import { DISCARD, guessColumns, IGNORED, mappedCsv, USUAL_FIELDS } from './columns';
import type { Line } from './csv';
import { namesOf } from './in-file';
import { keepNames } from './kept-names';
import { Outcomes, type RowOutcome } from './outcomes';
import classes from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

interface Trial {
  readonly total: number;
  readonly failed: number;
  readonly rows: readonly RowOutcome[];
}

interface MapColumnsProps {
  readonly instances: readonly Instance[];
  readonly lines: readonly Line[];
  readonly onOrdered: (id: string) => void;
}

/** The API's limit for one order. */
const MAX_LINES = 1000;
/** A thousand lines take the server a while. */
const TRIAL_MS = 120_000;
const SECRETS = ['secret', 'password', 'voicemail_vmpwd'];
const MODES = ['upsert', 'create', 'update'] as const;

export function MapColumns(props: MapColumnsProps) {
  const [uuid, setUuid] = useState(props.instances[0]!.uuid);
  const detail = useLoaded(uuid, () => api.get<{ readonly supported_fields: readonly string[] }>(`/instances/${uuid}`));
  if (!detail.value || detail.isLoading) return <FormError text={detail.error} />;
  const known = new Set([...USUAL_FIELDS, ...detail.value.supported_fields, ...SECRETS, DISCARD]);
  return <Mapping key={uuid} {...props} uuid={uuid} onInstance={setUuid} known={known} />;
}

interface MappingProps extends MapColumnsProps {
  readonly uuid: string;
  readonly onInstance: (uuid: string) => void;
  readonly known: ReadonlySet<string>;
}

function Mapping({ instances, lines, onOrdered, uuid, onInstance, known }: MappingProps) {
  const [heading = [], ...rows] = lines.map(({ cells }) => cells);
  const [columns, setColumns] = useState(() => guessColumns(heading, known));
  const [mode, setMode] = useState<string>('upsert');
  const [trial, setTrial] = useState<Trial>();
  const [isDiscarding, setDiscarding] = useState(false);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError('');
    try {
      await work();
    } catch (caught) {
      setError(messageOf(caught));
    }
    setBusy(false);
  };
  const send = <Answer,>(query: Readonly<Record<string, string>>): Promise<Answer> =>
    api.postCsv<Answer>(
      `/instances/${uuid}/bulks/extensions/import`,
      mappedCsv(rows, columns, isDiscarding ? { [DISCARD]: 'true' } : {}),
      { query: { mode, ...query }, timeoutMs: TRIAL_MS },
    );
  const tryIt = () => run(async () => setTrial(await send<Trial>({ dry_run: 'true' })));
  const file = namesOf(
    heading,
    columns,
    lines.slice(1).map(({ line }) => line),
  );
  const order = () =>
    run(async () => {
      const { id } = await send<{ id: string }>({});
      await keepNames(id, file);
      onOrdered(id);
    });
  if (rows.length === 0) return <FormError text={t('portal.noLines')} />;
  if (rows.length > MAX_LINES) return <FormError text={t('portal.tooManyLines', { most: MAX_LINES })} />;
  const isMapped = columns.includes('extension');
  return (
    <Section title={t('portal.mapColumns', { count: rows.length })}>
      <div className={table.bar}>
        {instances.length > 1 && (
          <Select
            label={t('portal.instance')}
            data={instances.map(({ uuid: value, fqdn }) => ({ value, label: fqdn }))}
            value={uuid}
            allowDeselect={false}
            onChange={(value) => value !== null && onInstance(value)}
          />
        )}
        <Select
          label={t('portal.mode')}
          data={MODES.map((value) => ({ value, label: t(`portal.mode.${value}`) }))}
          value={mode}
          allowDeselect={false}
          onChange={(value) => setMode(value ?? 'upsert')}
        />
      </div>
      <DataTable label={t('portal.columns')} heads={[t('portal.column'), t('portal.example'), t('portal.field')]}>
        {heading.map((name, at) => (
          <tr key={`${at} ${name}`}>
            <td>{name}</td>
            <td>{SECRETS.includes(columns[at]!) ? '•••' : rows[0]?.[at]}</td>
            <td>
              <Select
                aria-label={t('portal.fieldOf', { column: name })}
                placeholder={t('portal.ignored')}
                data={[...known].filter((field) => field === columns[at] || !columns.includes(field))}
                value={columns[at] === IGNORED ? null : columns[at]!}
                clearable
                searchable
                onChange={(value) => {
                  setColumns((before) => before.with(at, value ?? IGNORED));
                  setTrial(undefined);
                }}
              />
            </td>
          </tr>
        ))}
      </DataTable>
      {!isMapped && <p role="note">{t('portal.needsNumber')}</p>}
      {(isDiscarding || trial?.rows.some(({ detail }) => isOfMessages(detail))) && (
        <Checkbox
          mt="sm"
          label={t('portal.discardInLines')}
          checked={isDiscarding}
          onChange={(event) => {
            setDiscarding(event.currentTarget.checked);
            setTrial(undefined);
          }}
        />
      )}
      <FormError text={error} />
      <div className={`${classes.actions} ${classes.below}`}>
        <Button
          loading={isBusy}
          disabled={!isMapped}
          {...(trial && { variant: 'default' })}
          onClick={() => void tryIt()}
        >
          {t('portal.dryRun')}
        </Button>
        {trial && (
          <Button loading={isBusy} disabled={trial.failed === trial.total} onClick={() => void order()}>
            {t('portal.loadLines', { count: trial.total - trial.failed })}
          </Button>
        )}
      </div>
      {trial && (
        <>
          <p role="status">{t('portal.trial', { good: trial.total - trial.failed, failed: trial.failed })}</p>
          <Outcomes rows={trial.rows} file={file} />
        </>
      )}
    </Section>
  );
}
