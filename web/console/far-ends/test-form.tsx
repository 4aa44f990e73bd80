/** Calls a far end, and says in words what came of it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../../shared/forms/section';
import { useForm, type Values } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { durationOf } from '../data/amounts';
import { State } from '../shell/parts';
import { ServerText } from '../shell/server-text';
import { emptyFields, FieldInputs, sentFields } from './field-inputs';
import { pathOf, type FarEnd, type Field, type TestResult } from './wire';
import forms from '../../shared/forms/form.module.css';

interface TestFormProps {
  readonly of: Pick<FarEnd, 'kind' | 'id'>;
  readonly fields: readonly Field[];
  readonly after: () => void;
}

export function TestForm({ of, fields, after }: TestFormProps) {
  const form = useForm<Values>(emptyFields(fields));
  const [result, setResult] = useState<TestResult>();
  const test = form.submit(async (values) => {
    setResult(undefined);
    setResult(await ops.post<TestResult>(`${pathOf(of)}/test`, { fields: sentFields(fields, values) }));
    after();
  });
  return (
    <form className={forms.form} onSubmit={test} noValidate>
      <FieldInputs type="" fields={fields} form={form} />
      <FormError text={form.error} />
      {result && (
        <p role="status">
          <State state={result.is_well ? 'ok' : 'failing'}>
            {t(result.is_well ? 'farEnd.testWell' : 'farEnd.testBad')}
          </State>{' '}
          <ServerText text={result.detail} /> ({durationOf(result.took_ms)})
        </p>
      )}
      <div className={forms.actions}>
        <Button type="submit" loading={form.isBusy}>
          {t(of.kind === 'carrier' ? 'farEnd.testText' : 'farEnd.test')}
        </Button>
      </div>
    </form>
  );
}
