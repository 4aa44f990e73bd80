/** Sets what one says beside one's name: an emoji, a few words, and until when. */
import { Button, Popover, Select, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api } from '../../shared/http/request';
import { dateAndTimeOf } from '../../shared/texts/dates';
import { t, type TextKey } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { Icon } from '../../shared/ui/icon';
import type { Emoji } from '../data/actions';
import { emojiUrl } from '../data/emoji';
import { useChat } from '../data/store';
import { closeDialog } from '../dialogs/dialogs';
import { EmojiPicker } from '../emoji/emoji-picker';
import { useWork } from '../settings/use-work';
import { hasEmoji } from './status-emoji';
import { type End, ENDS, secondsOf } from './status-ends';
import forms from '../../shared/forms/form.module.css';
import classes from './status-dialog.module.css';

interface Preset {
  readonly text: TextKey;
  readonly emoji: Emoji;
  readonly end: End;
}

const unicode = (emoji_name: string, emoji_code: string): Emoji => ({
  emoji_name,
  emoji_code,
  reaction_type: 'unicode_emoji',
});

const PRESETS: readonly Preset[] = [
  { text: 'status.meeting', emoji: unicode('calendar', '1f4c5'), end: 'hour' },
  { text: 'status.lunch', emoji: unicode('fork_and_knife', '1f374'), end: 'hour' },
  { text: 'status.commuting', emoji: unicode('bus', '1f68c'), end: 'hour' },
  { text: 'status.remote', emoji: unicode('house', '1f3e0'), end: 'today' },
  { text: 'status.sick', emoji: unicode('sick', '1f912'), end: 'today' },
  { text: 'status.away', emoji: unicode('palm_tree', '1f334'), end: 'week' },
];

const NO_EMOJI: Emoji = { emoji_name: '', emoji_code: '', reaction_type: '' };
const MAX_LENGTH = 60;

export function StatusDialog() {
  const status = useChat((state) => state.statuses.get(state.ownId));
  const [text, setText] = useState(status?.status_text ?? '');
  const [emoji, setEmoji] = useState<Emoji | undefined>(hasEmoji(status) ? status : undefined);
  const [end, setEnd] = useState<End>('never');
  const { isBusy, run } = useWork();
  const isSet = (status?.status_text ?? '') !== '' || hasEmoji(status);
  const until = status?.scheduled_end_time;
  const send = async (words: string, chosen: Emoji | undefined, seconds: number | null): Promise<void> => {
    const { emoji_name, emoji_code, reaction_type } = chosen ?? NO_EMOJI;
    const form = { status_text: words, emoji_name, emoji_code, reaction_type, scheduled_end_time: seconds };
    if (await run(() => api.post('/users/me/status', form))) closeDialog();
  };
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    void send(text.trim(), emoji, secondsOf(end, new Date()));
  };
  const take = ({ text: words, emoji: chosen, end: usual }: Preset): void => {
    setText(t(words));
    setEmoji(chosen);
    setEnd(usual);
  };
  return (
    <Dialog opened onClose={closeDialog} title={t('status.title')} size="sm">
      <form className={forms.form} onSubmit={save}>
        <div className={classes.words}>
          <EmojiField emoji={emoji} onChange={setEmoji} />
          <TextInput
            data-autofocus
            aria-label={t('status.text')}
            placeholder={t('status.text')}
            value={text}
            maxLength={MAX_LENGTH}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <div className={classes.presets} role="group" aria-label={t('status.presets')}>
          {PRESETS.map((preset) => (
            <button key={preset.text} type="button" onClick={() => take(preset)}>
              <img src={emojiUrl(preset.emoji)} alt="" width={18} height={18} />
              <span>{t(preset.text)}</span>
            </button>
          ))}
        </div>
        <Select
          label={t('status.end')}
          data={ENDS.map((each) => ({ value: each, label: t(`status.end.${each}`) }))}
          value={end}
          allowDeselect={false}
          onChange={(value) => setEnd(value ?? 'never')}
        />
        {typeof until === 'number' && <p className={forms.dim}>{t('status.until', { time: dateAndTimeOf(until) })}</p>}
        <div className={forms.actions}>
          <Button type="submit" loading={isBusy} disabled={text.trim() === '' && !emoji}>
            {t('action.save')}
          </Button>
          {isSet && (
            <Button variant="default" disabled={isBusy} onClick={() => void send('', undefined, null)}>
              {t('status.clear')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

interface EmojiFieldProps {
  readonly emoji: Emoji | undefined;
  readonly onChange: (emoji: Emoji | undefined) => void;
}

function EmojiField({ emoji, onChange }: EmojiFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const pick = (picked: Emoji): void => {
    onChange(picked);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={classes.emoji}
          aria-label={t('status.emoji')}
          title={t('status.emoji')}
          onClick={() => setOpen(!isOpen)}
        >
          {emoji ? <img src={emojiUrl(emoji)} alt="" width={22} height={22} /> : <Icon name="smile" size={20} />}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <EmojiPicker onPick={pick} />
      </Popover.Dropdown>
    </Popover>
  );
}
