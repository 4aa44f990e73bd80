/** Opens a view at its first message since a moment. */
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { firstSince } from '../data/ask';
import { loadNewest } from '../data/load';
import { pathOf, type Narrow } from '../data/narrow';

export async function jumpToDate(narrow: Narrow, date: Date): Promise<void> {
  const id = await firstSince(narrow, date);
  if (id !== undefined) return navigate(pathOf(narrow, id));
  toast(t('dateJump.none'));
  navigate(pathOf(narrow));
  await loadNewest(narrow);
}
