/** Chooses the folder of a stream. Nothing is shown while the organisation has no folders. */
import { Select } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { useChat } from '../data/store';

interface FolderSelectProps {
  readonly value: number | null;
  readonly onChange: (folder: number | null) => void;
}

const NONE = '';

export function FolderSelect({ value, onChange }: FolderSelectProps) {
  const folders = useChat((state) => state.folders);
  const current = folders.filter(({ is_archived: isArchived }) => !isArchived);
  if (current.length === 0) return null;
  return (
    <Select
      label={t('directory.folder')}
      data={[
        { value: NONE, label: t('directory.noFolder') },
        ...current.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={value === null ? NONE : String(value)}
      searchable
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen === null || chosen === NONE ? null : Number(chosen))}
    />
  );
}
