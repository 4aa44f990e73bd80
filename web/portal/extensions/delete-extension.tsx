/** Confirms the deletion of an extension, and says what it entails. */
import { t } from '../../shared/texts/texts';
import { Confirm } from '../../shared/forms/parts';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { nameOf, type Extension } from '../wire';

interface DeleteExtensionProps {
  readonly path: string;
  readonly extension: Extension;
  readonly onDeleted: () => Promise<void>;
  readonly onClose: () => void;
}

export function DeleteExtension({ path, extension, onDeleted, onClose }: DeleteExtensionProps) {
  const { data, user } = extension;
  return (
    <Confirm
      title={t('portal.deleteExtension', { number: data.id })}
      action={t('portal.delete')}
      onClose={onClose}
      onConfirm={async () => {
        await api.remove(`${path}/${extension._id}`, PBX_DEADLINE_MS);
        await onDeleted();
      }}
    >
      <p>{t('portal.deleteExtensionHint')}</p>
      {user && <p>{t('portal.deleteExtensionUser', { name: nameOf(user) })}</p>}
    </Confirm>
  );
}
