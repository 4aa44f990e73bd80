/** The page around the messages that are painted first: empty, and as large as what React puts there. */
import type { ReactElement, ReactNode } from 'react';
import { t } from '../../shared/texts/texts';
import { targetOf } from '../compose/target';
import type { Narrow } from '../data/narrow';
import { readStored } from '../data/stored';
import fields from '../compose/combo-field.module.css';
import compose from '../compose/compose.module.css';
import inbox from '../inbox/inbox.module.css';
import lists from '../list/message-list.module.css';
import text from '../text/text-box.module.css';
import { isShownBeside } from '../people/panel-state';
import people from '../people/people-panel.module.css';
import shell from '../../shared/shell/shell.module.css';

/** The Inbox between the same edges. */
export const frameOfInbox = (body: ReactNode): ReactElement => (
  <div className={shell.shell} inert>
    <div className={shell.side} />
    <div className={shell.middle}>
      <div className={shell.head} />
      <div className={inbox.page} data-painted>
        {body}
      </div>
      <div className={compose.compose}>{openers()}</div>
    </div>
  </div>
);

export function frameAround(narrow: Narrow, top: string, rows: ReactNode): ReactElement {
  return (
    <div className={shell.shell} inert>
      <div className={shell.side} />
      <div className={shell.middle}>
        <div className={shell.head} />
        <div className={lists.panes}>
          <div className={lists.pane}>
            <div className={lists.rows}>
              <div className={lists.scroller} data-painted>
                <div className={lists.content}>
                  <div className={lists.top}>{top}</div>
                  <div>{rows}</div>
                  <div className={lists.end} />
                </div>
              </div>
            </div>
            {narrow.kind === 'private' && <div className={lists.typing} />}
          </div>
        </div>
        <div className={compose.compose}>{targetOf(narrow) ? box(narrow.kind === 'stream') : openers()}</div>
      </div>
      {isShownBeside() && <div className={people.panel} data-beside />}
    </div>
  );
}

const box = (hasTarget: boolean): ReactElement => (
  <div className={compose.box}>
    {hasTarget && (
      <div className={compose.target}>
        <span className={fields.field}>
          <input />
        </span>
      </div>
    )}
    <div className={compose.line}>
      <div className={text.text}>
        {/* What text-box.tsx makes of an empty one. */}
        <textarea rows={1} style={{ height: 40 }} />
      </div>
      <div className={compose.tools}>
        <button type="button" className={compose.send} style={{ visibility: 'hidden' }}>
          {t('compose.send')}
        </button>
      </div>
    </div>
    {readStored('format-bar', false) && <div className={compose.bar} />}
  </div>
);

const openers = (): ReactElement => (
  <div className={compose.openers}>
    <button type="button" style={{ visibility: 'hidden' }}>
      {t('compose.newTopic')}
    </button>
  </div>
);
