/** Where files can be dropped: on every page with a box to write in. */
import { t } from '../../shared/texts/texts';
import { placeAt } from '../data/narrow';
import { chat } from '../data/store';
import { whyNot } from './may-write';
import { useCompose } from './state';

/** Why nothing can be attached on this page, in words; undefined if it can. */
export function whyNoFiles(): string | undefined {
  if (document.getElementById('composer') === null) {
    const narrow = placeAt(location.pathname)?.narrow;
    return (narrow && 'streamId' in narrow && whyNot(chat(), narrow.streamId)) || t('upload.elsewhere');
  }
  const { draft, home } = useCompose.getState();
  const target = draft ?? home;
  return target?.type === 'stream' ? whyNot(chat(), target.streamId) : undefined;
}
