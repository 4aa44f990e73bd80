/** For each field of an extension's `data`, a value that it does not have: to check whether a PBX is sent the field. */
import type { Held } from '../../../src/telephony/actors/pbx-instance/driver';
import { FIELDS } from '../../../src/telephony/model/extensions/extension-fields';

/** Values that a PBX accepts, for fields that do not take every text. */
const MEANINGFUL: Readonly<Record<string, string>> = {
  allow: 'g722',
  disallow: 'alaw',
  voicemail_options: 'attach=no|saycid=yes',
  voicemail_email: 'other@example.com',
  findmefollow_postdest: 'app-blackhole,busy,1',
};

function otherValue(extension: Held, name: string): unknown {
  const { values, type } = FIELDS[name] ?? { type: 'text' };
  const current = String(extension[name]).toLowerCase();
  if (values) return values.find((value) => value !== '' && value.toLowerCase() !== current) ?? '';
  if (type === 'boolean') return !extension[name];
  return type === 'integer' ? 8 : (MEANINGFUL[name] ?? '77');
}

/** The same extension with other values in these fields. */
export const withOthers = (extension: Held, names: readonly string[]): Held => ({
  ...extension,
  ...Object.fromEntries(names.map((name) => [name, otherValue(extension, name)])),
});
