/** Text templates, which all users of the company share. */
import { Button, Menu } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import classes from './texting.module.css';

interface Template {
  readonly id: string;
  readonly text: string;
}

const PATH = '/portal/api/text-templates';
const SHOWN = 80;

export function Templates({ text, onPick }: { text: string; onPick: (text: string) => void }) {
  const { value: templates = [], reload } = useLoaded('templates', () => api.get<readonly Template[]>(PATH));
  const written = text.trim();
  const known = templates.find((each) => each.text === written);
  const keep = async (): Promise<void> => {
    await api.post(PATH, { text: written });
    await reload();
  };
  const forget = async (id: string): Promise<void> => {
    await api.remove(`${PATH}/${id}`);
    await reload();
  };
  return (
    <Menu position="top-start" width={280} shadow="md" onOpen={() => void reload()}>
      <Menu.Target>
        <Button variant="default">{t('portal.templates')}</Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.templates}>
        {templates.length === 0 && <Menu.Label>{t('portal.noTemplates')}</Menu.Label>}
        {templates.map((template) => (
          <Menu.Item key={template.id} onClick={() => onPick(template.text)}>
            {template.text.slice(0, SHOWN)}
          </Menu.Item>
        ))}
        {templates.length > 0 && <Menu.Divider />}
        <Menu.Item disabled={written === '' || known !== undefined} onClick={() => tell(keep())}>
          {t('portal.keepTemplate')}
        </Menu.Item>
        <Menu.Item disabled={!known} onClick={() => known && tell(forget(known.id))}>
          {t('portal.forgetTemplate')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
