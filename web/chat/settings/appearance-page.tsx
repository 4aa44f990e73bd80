/** Colours, language and keyboard behaviour. */
import { Select, Switch } from '@mantine/core';
import { useMemo } from 'react';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { setAppearance, useAppearance, type Appearance } from '../../shared/ui/appearance';
import { LanguageSelect } from '../../shared/ui/language-select';
import { tell } from '../../shared/ui/toasts';
import { setEnterSends } from '../data/actions';
import { useChat, useSetting } from '../data/store';
import { Section } from '../../shared/forms/section';
import forms from '../../shared/forms/form.module.css';

const APPEARANCES: readonly Appearance[] = ['auto', 'light', 'dark'];

/** Zulip's values of `demote_inactive_streams`. */
const INACTIVE = ['1', '2', '3'] as const;

export function AppearancePage() {
  const { appearance } = useAppearance();
  const isTwentyFour = useSetting('twenty_four_hour_time', false);
  const inactive = useSetting('demote_inactive_streams', 1);
  const isSentByEnter = useSetting('enter_sends', false);
  return (
    <Section>
      <div className={forms.form}>
        <Select
          label={t('appearance.colours')}
          data={APPEARANCES.map((value) => ({ value, label: t(`appearance.${value}`) }))}
          value={appearance}
          allowDeselect={false}
          onChange={(value) => setAppearance(value as Appearance)}
        />
        <LanguageSelect onChoose={(name) => api.patch('/settings/display', { default_language: name })} />
        <ZoneSelect />
        <Switch
          label={t('appearance.twentyFour')}
          checked={isTwentyFour}
          onChange={(event) =>
            tell(api.patch('/settings/display', { twenty_four_hour_time: event.currentTarget.checked }))
          }
        />
        <Select
          label={t('appearance.inactive')}
          data={INACTIVE.map((value) => ({ value, label: t(`appearance.inactive${value}`) }))}
          value={String(inactive)}
          allowDeselect={false}
          onChange={(value) => tell(api.patch('/settings/display', { demote_inactive_streams: Number(value) }))}
        />
        <Switch
          label={t('appearance.enterSends')}
          checked={isSentByEnter}
          onChange={(event) => tell(setEnterSends(event.currentTarget.checked))}
        />
      </div>
    </Section>
  );
}

function ZoneSelect() {
  const zone = useChat((state) => state.people.get(state.ownId)?.timezone ?? '');
  const zones = useMemo(() => [...new Set([...Intl.supportedValuesOf('timeZone'), zone])].filter(Boolean), [zone]);
  return (
    <Select
      label={t('appearance.zone')}
      description={t('appearance.zoneHint')}
      data={zones}
      value={zone || null}
      searchable
      limit={100}
      allowDeselect={false}
      onChange={(value) => value !== null && tell(api.patch('/settings/display', { timezone: value }))}
    />
  );
}
