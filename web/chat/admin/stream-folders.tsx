/** The folders of streams: administrators create, rename, order and archive them. */
import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { Section } from '../../shared/forms/section';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { tell } from '../../shared/ui/toasts';
import { useChat } from '../data/store';
import type { Folder } from '../streams/folders';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

export function StreamFolders() {
  const folders = useChat((state) => state.folders);
  const current = folders.filter((each) => !each.is_archived);
  const archived = folders.filter((each) => each.is_archived);
  return (
    <>
      <Section hint={t('folders.hint')}>
        {current.length === 0 && <p>{t('folders.none')}</p>}
        <ul className={classes.list}>
          {current.map((folder, at) => (
            <CurrentFolder key={folder.id} folder={folder} before={current[at - 1]} after={current[at + 1]} />
          ))}
        </ul>
      </Section>
      <Section title={t('folders.new')}>
        <FolderForm
          name=""
          description=""
          onSave={(name, description) => api.post('/channel_folders/create', { name, description })}
        />
      </Section>
      {archived.length > 0 && (
        <Section title={t('folders.archived')}>
          <ul className={classes.list}>
            {archived.map((folder) => (
              <li key={folder.id}>
                <Names folder={folder} />
                <Button size="compact-sm" variant="default" onClick={() => tell(archive(folder, false))}>
                  {t('folders.unarchive')}
                </Button>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const change = (id: number, changes: object): Promise<unknown> => api.patch(`/channel_folders/${id}`, { ...changes });
const archive = ({ id }: Folder, isArchived: boolean): Promise<unknown> => change(id, { is_archived: isArchived });

interface CurrentFolderProps {
  readonly folder: Folder;
  readonly before: Folder | undefined;
  readonly after: Folder | undefined;
}

function CurrentFolder({ folder, before, after }: CurrentFolderProps) {
  const { id, name, description } = folder;
  const [isEdited, setEdited] = useState(false);
  const save = async (newName: string, newDescription: string): Promise<void> => {
    await change(id, { name: newName, description: newDescription });
    setEdited(false);
  };
  return (
    <li>
      <Names folder={folder} />
      <span className={classes.buttons}>
        <IconButton
          icon="up"
          label={t('folders.up', { name })}
          disabled={!before}
          onClick={() => before && tell(exchange(folder, before))}
        />
        <IconButton
          icon="down"
          label={t('folders.down', { name })}
          disabled={!after}
          onClick={() => after && tell(exchange(folder, after))}
        />
        <IconButton
          icon="edit"
          label={t('folders.edit', { name })}
          aria-expanded={isEdited}
          onClick={() => setEdited(!isEdited)}
        />
        <Button size="compact-sm" variant="default" onClick={() => tell(archive(folder, true))}>
          {t('folders.archive')}
        </Button>
      </span>
      {isEdited && (
        <div>
          <FolderForm name={name} description={description} onSave={save} />
        </div>
      )}
    </li>
  );
}

function Names({ folder: { id, name, description } }: { folder: Folder }) {
  const count = useChat(({ streams }) => [...streams.values()].filter((each) => each.folder_id === id).length);
  return (
    <span className={classes.grow}>
      {name}
      <small>{[t('folders.streams', { count }), description].filter(Boolean).join(' · ')}</small>
    </span>
  );
}

interface FolderFormProps {
  readonly name: string;
  readonly description: string;
  readonly onSave: (name: string, description: string) => Promise<unknown>;
}

function FolderForm({ name: known, description: described, onSave }: FolderFormProps) {
  const [name, setName] = useState(known);
  const [description, setDescription] = useState(described);
  const { isBusy, run } = useWork();
  const isNew = known === '';
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (!(await run(() => onSave(name.trim(), description.trim()))) || !isNew) return;
    setName('');
    setDescription('');
  };
  const isSame = name.trim() === known && description.trim() === described;
  return (
    <form className={forms.form} onSubmit={(event) => void save(event)}>
      <TextInput
        label={t('directory.name')}
        value={name}
        maxLength={60}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('directory.description')}
        value={description}
        maxLength={1024}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} disabled={name.trim() === '' || isSame}>
        {t(isNew ? 'action.add' : 'action.save')}
      </Button>
    </form>
  );
}

/** The server wants the order of all folders, archived ones too. */
function exchange(one: Folder, other: Folder): Promise<unknown> {
  const order = useChat.getState().folders.map(({ id }) => {
    if (id === one.id) return other.id;
    return id === other.id ? one.id : id;
  });
  return api.patch('/channel_folders', { order });
}
