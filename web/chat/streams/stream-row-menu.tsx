/** The menu of a stream's row. */
import { t } from '../../shared/texts/texts';
import { RowMenu } from '../../shared/menus/row-menu';
import { streamEntries } from './stream-entries';

export function StreamRowMenu({ streamId, name }: { streamId: number; name: string }) {
  return <RowMenu label={t('stream.menu', { stream: name })} entries={() => streamEntries(streamId)} />;
}
