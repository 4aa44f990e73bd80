/** Inputs and a button in one line: Enter submits, Escape cancels. */
import { useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import classes from './widget.module.css';

interface LineFormProps {
  readonly fields: readonly { readonly label: string; readonly initial?: string }[];
  readonly button: string;
  /** Whether the first input takes the focus when it appears. */
  readonly hasFocus?: boolean;
  /** Not called while the first input is empty. */
  readonly onSubmit: (values: readonly string[]) => void;
  readonly onLeave?: () => void;
}

const MAX_LETTERS = 500;

export function LineForm({ fields, button, hasFocus = false, onSubmit, onLeave }: LineFormProps) {
  const [values, setValues] = useState(() => fields.map(({ initial = '' }) => initial));
  const trimmed = values.map((value) => value.trim());
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (trimmed[0] === '') return;
    onSubmit(trimmed);
    setValues(fields.map(() => ''));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    event.currentTarget.closest('article')?.focus();
    onLeave?.();
  };
  return (
    <form className={classes.line} onSubmit={submit}>
      {fields.map(({ label }, index) => (
        <input
          key={label}
          aria-label={label}
          placeholder={label}
          value={values[index]}
          maxLength={MAX_LETTERS}
          autoFocus={hasFocus && index === 0}
          onChange={(event) => setValues(values.with(index, event.currentTarget.value))}
          onKeyDown={onKeyDown}
        />
      ))}
      <button type="submit" disabled={trimmed[0] === ''}>
        {button}
      </button>
    </form>
  );
}
