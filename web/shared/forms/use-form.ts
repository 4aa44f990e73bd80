/** State of a form: values, errors per field, and whether it is being sent. A failure keeps the values. */
import { useState, type SyntheticEvent } from 'react';
import { messageOf } from '../http/message-of';
import { RequestError } from '../http/request';
import { readFieldErrors, type FieldErrors } from './field-errors';

export type Values = Readonly<Record<string, string>>;

export interface Form<V extends Values> {
  readonly values: V;
  readonly error: string;
  readonly isBusy: boolean;
  readonly set: (name: keyof V & string, value: string) => void;
  readonly reset: (values: V) => void;
  /** The props of the select with this name. */
  readonly choice: (name: keyof V & string) => {
    readonly name: string;
    readonly value: string | null;
    readonly error: string | undefined;
    readonly onChange: (value: string | null) => void;
  };
  /** The props of the input with this name. */
  readonly input: (name: keyof V & string) => {
    readonly name: string;
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (event: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  };
  readonly submit: (send: (values: V) => Promise<void>) => (event: SyntheticEvent) => void;
}

const NO_ERRORS: FieldErrors = { fields: {}, rest: '' };

export function useForm<V extends Values>(initial: V): Form<V> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [isBusy, setBusy] = useState(false);
  const set = (name: keyof V & string, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  const run = async (send: (values: V) => Promise<void>): Promise<void> => {
    setBusy(true);
    setErrors(NO_ERRORS);
    try {
      await send(values);
    } catch (error) {
      const isRefusal = error instanceof RequestError && error.status === 400;
      setErrors(
        isRefusal ? readFieldErrors(error.message, Object.keys(values)) : { fields: {}, rest: messageOf(error) },
      );
    }
    setBusy(false);
  };
  return {
    values,
    error: errors.rest,
    isBusy,
    set,
    reset: setValues,
    choice: (name) => ({
      name,
      value: values[name] || null,
      error: errors.fields[name],
      onChange: (value) => set(name, value ?? ''),
    }),
    input: (name) => ({
      name,
      value: values[name] ?? '',
      error: errors.fields[name],
      onChange: (event) => set(name, event.currentTarget.value),
    }),
    submit: (send) => (event) => {
      event.preventDefault();
      void run(send);
    },
  };
}
