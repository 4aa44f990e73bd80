/** Short notes about results and errors; announced to screen readers, and gone after a while. */
import { create } from 'zustand';
import { messageOf } from '../http/message-of';
import { t } from '../texts/texts';
import { Icon } from './icon';
import classes from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  readonly action?: ToastAction;
}

/** A button of the note, such as one that takes back what it reports. */
interface ToastAction {
  readonly text: string;
  readonly run: () => void;
}

const SHOWN_MS = 6000;
/** Long enough to read the note and to decide. */
const WITH_ACTION_MS = 12_000;
let last = 0;

const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));

const drop = (id: number): void =>
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));

export function toast(text: string, isError = false, action?: ToastAction): void {
  const id = (last += 1);
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.slice(-3), { id, text, isError, ...(action && { action }) }],
  }));
  setTimeout(() => drop(id), action ? WITH_ACTION_MS : SHOWN_MS);
}

/** For promises that nobody awaits: shows an error as a toast. */
export function tell(work: Promise<unknown>, success?: string): void {
  work.then(
    () => success && toast(success),
    (error: unknown) => toast(messageOf(error), true),
  );
}

export function Toasts() {
  const { toasts } = useToasts();
  return (
    <div className={classes.toasts} role="status" aria-live="polite">
      {toasts.map(({ id, text, isError, action }) => (
        <div key={id} className={classes.toast} data-error={isError || undefined}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              className={classes.action}
              onClick={() => {
                drop(id);
                action.run();
              }}
            >
              {action.text}
            </button>
          )}
          <button type="button" aria-label={t('action.close')} onClick={() => drop(id)}>
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
