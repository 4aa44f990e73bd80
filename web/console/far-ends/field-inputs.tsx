/** The inputs for the fields of a far end, which the server names. */
import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { Form, Values } from '../../shared/forms/use-form';
import { t, type TextKey } from '../../shared/texts/texts';
import type { Field } from './wire';

/** The API's names, so that each error is shown beside its field. */
export const inputName = (name: string): string => `fields.${name}`;

/** Fields without a label here are shown by the names that their makers give them. */
const LABELS: Readonly<Record<string, TextKey>> = {
  address: 'farEndField.address',
  credentials: 'farEndField.credentials',
  domain: 'farEndField.domain',
  location: 'farEndField.location',
  codecs: 'farEndField.codecs',
  ami: 'farEndField.ami',
  rpc: 'farEndField.rpc',
  numbers: 'farEndField.numbers',
  api_url: 'farEndField.apiUrl',
  to: 'farEndField.to',
};

/** By make and field: where the PBX or carrier shows it, and how it is written. */
const HINTS: Readonly<Record<string, TextKey>> = {
  'freepbx address': 'farEndHint.freepbxAddress',
  'freepbx credentials': 'farEndHint.freepbxCredentials',
  'asterisk-ari address': 'farEndHint.asteriskAddress',
  'asterisk-ari credentials': 'farEndHint.asteriskCredentials',
  'asterisk-ari ami': 'farEndHint.ami',
  'kamailio address': 'farEndHint.kamailioAddress',
  'kamailio credentials': 'farEndHint.kamailioCredentials',
  domain: 'farEndHint.domain',
  location: 'farEndHint.location',
  codecs: 'farEndHint.codecs',
  numbers: 'farEndHint.numbers',
  api_url: 'farEndHint.apiUrl',
};

export const labelOf = (name: string): string => (LABELS[name] ? t(LABELS[name]) : name);

interface FieldInputsProps {
  readonly type: string;
  readonly fields: readonly Field[];
  readonly form: Form<Values>;
  /** Secrets that are stored stay if nothing is typed. */
  readonly isStored?: boolean;
}

export function FieldInputs({ type, fields, form, isStored = false }: FieldInputsProps) {
  return fields.map(({ name, kind, is_required: isRequired }) => {
    const hint = HINTS[`${type} ${name}`] ?? HINTS[name];
    const said = hint === undefined ? [] : [t(hint)];
    if (kind === 'secret' && isStored) said.push(t('farEndHint.stays'));
    const props = {
      label: labelOf(name),
      description: said.join(' ') || undefined,
      required: isRequired && !(kind === 'secret' && isStored),
      withAsterisk: false,
      ...form.input(inputName(name)),
    };
    if (kind === 'secret') return <PasswordInput key={name} autoComplete="off" {...props} />;
    return kind === 'lines' ? (
      <Textarea key={name} autosize minRows={2} maxRows={10} {...props} />
    ) : (
      <TextInput key={name} inputMode={kind === 'address' ? 'url' : 'text'} autoComplete="off" {...props} />
    );
  });
}

export const emptyFields = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.map(({ name }) => [inputName(name), '']));

/** As the API takes them. */
export const sentFields = (fields: readonly Field[], values: Values): Record<string, string> =>
  Object.fromEntries(fields.map(({ name }) => [name, (values[inputName(name)] ?? '').trim()]));
