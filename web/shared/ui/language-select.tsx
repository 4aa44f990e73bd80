/** Chooses the language of all pages in this browser. */
import { NativeSelect } from '@mantine/core';
import { keepLanguage, LANGUAGES, t, useLanguage } from '../texts/texts';
import { tell } from './toasts';

/** Each language in its own name, because the user may not read the current one. */
const ownNameOf = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;

interface LanguageSelectProps {
  /** Makes the label visible to screen readers only. */
  readonly isSmall?: boolean;
  /** Called too, for an account that stores the choice. */
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
