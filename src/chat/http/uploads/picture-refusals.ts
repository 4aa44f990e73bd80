/** What every route that takes a picture may refuse. */
import type { Fault } from '../../../kernel/fault';
import { MOST_PICTURE_MEGABYTES } from '../../model/uploads/picture-recipes';
import { fileTooLarge, imageTooLarge, notAnImage } from '../../model/users/user-faults';

export const PICTURE_REFUSALS: readonly Fault[] = [notAnImage(), imageTooLarge(), fileTooLarge(MOST_PICTURE_MEGABYTES)];
