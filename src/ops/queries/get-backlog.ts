/** Returns the outbox rows that are committed but not published yet. */
import type { Kernel } from '../../kernel/kernel';
import * as backlog from '../store/backlog';

export const getBacklog = ({ mysql }: Pick<Kernel, 'mysql'>): Promise<backlog.Backlog> => backlog.pending(mysql);
