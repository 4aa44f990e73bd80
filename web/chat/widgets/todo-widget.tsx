/** A to-do list. Everybody may add and tick off tasks. */
import { t } from '../../shared/texts/texts';
import { LineForm } from './line-form';
import type { WidgetProps } from './widget';
import { newTask, strikeChange, type Todo } from './widget-data';
import classes from './widget.module.css';

export function TodoWidget({ data: todo, send }: WidgetProps<Todo>) {
  const done = todo.tasks.filter(({ isDone }) => isDone).length;
  const add = ([text = '', description = '']: readonly string[]): void => {
    if (!todo.tasks.some((task) => task.text === text)) send(newTask(todo, text, description));
  };
  return (
    <div className={classes.widget} role="group" aria-label={t('todo.title')}>
      <div className={classes.head}>
        <b>{t('todo.title')}</b>
        {todo.tasks.length > 0 && <small>{t('todo.progress', { done, all: todo.tasks.length })}</small>}
      </div>
      <ul className={classes.tasks}>
        {todo.tasks.map((task) => (
          <li key={task.key} data-done={task.isDone || undefined}>
            <label>
              <input type="checkbox" checked={task.isDone} onChange={() => send(strikeChange(task))} />
              <span className={classes.text}>
                {task.text}
                {task.description !== '' && <small>{task.description}</small>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <LineForm
        fields={[{ label: t('todo.newTask') }, { label: t('todo.description') }]}
        button={t('action.add')}
        onSubmit={add}
      />
    </div>
  );
}
