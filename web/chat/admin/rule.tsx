/** A setting of the organisation that is on or off. */
import { Switch } from '@mantine/core';
import { api } from '../../shared/http/request';
import { t, type TextKey } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useSetting } from '../data/store';

export function Rule({ name, text }: { name: string; text: TextKey }) {
  const isOn = useSetting(`realm_${name}`, false);
  return (
    <Switch
      label={t(text)}
      checked={isOn}
      onChange={(event) => tell(api.patch('/realm', { [name]: event.currentTarget.checked }))}
    />
  );
}
