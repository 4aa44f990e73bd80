/** Texts that are sent again and again, kept by this browser. */
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';

const NAME = 'partyline:text-templates';
const MOST = 30;

function stored(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function Templates({ text, onPick }: { text: string; onPick: (text: string) => void }) {
  const [templates, setTemplates] = useState(stored);
  const keep = (next: readonly string[]): void => {
    setTemplates(next);
    try {
      localStorage.setItem(NAME, JSON.stringify(next));
    } catch {
      // Kept until the page is closed.
    }
  };
  const written = text.trim();
  return (
    <Menu position="top-start" width={280} shadow="md">
      <Menu.Target>
        <Button variant="default">{t('portal.templates')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {templates.map((template) => (
          <Menu.Item key={template} onClick={() => onPick(template)}>
            {template.slice(0, 80)}
          </Menu.Item>
        ))}
        {templates.length > 0 && <Menu.Divider />}
        <Menu.Item
          disabled={written === '' || templates.includes(written)}
          onClick={() => keep([written, ...templates].slice(0, MOST))}
        >
          {t('portal.keepTemplate')}
        </Menu.Item>
        <Menu.Item
          disabled={!templates.includes(written)}
          onClick={() => keep(templates.filter((each) => each !== written))}
        >
          {t('portal.forgetTemplate')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
