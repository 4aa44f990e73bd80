/** Chooses the language of all pages in this browser. */
import { NativeSelect } from '@mantine/core';
import { keepLanguage, LANGUAGES, t, useLanguage } from '../texts/texts';
import { tell } from './toasts';

/** As those who speak it call it: whoever looks for it may not read the present one. */
const ownNameOf = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;

interface LanguageSelectProps {
  /** Its label is only for those who do not see it. */
  readonly isSmall?: boolean;
  /** For an account that remembers the choice too. */
  readonly onChoose?: (language: string) => Promise<unknown>;
}

export function LanguageSelect({ isSmall = false, onChoose }: LanguageSelectProps) {
  const language = useLanguage((state) => state.name);
  const choose = (name: string): Promise<unknown> => Promise.all([keepLanguage(name), onChoose?.(name)]);
  return (
    <NativeSelect
      {...(isSmall ? { size: 'xs', 'aria-label': t('appearance.language') } : { label: t('appearance.language') })}
      data={LANGUAGES.map((value) => ({ value, label: ownNameOf(value) }))}
      value={language}
      onChange={(event) => tell(choose(event.currentTarget.value))}
    />
  );
}
