/** Refusals common to routes that accept a picture. */
import type { Fault } from '../../../kernel/fault';
import { MAX_PICTURE_MEGABYTES } from '../../model/uploads/picture-recipes';
import { fileTooLarge, imageTooLarge, notAnImage } from '../../model/users/user-faults';

export const PICTURE_REFUSALS: readonly Fault[] = [notAnImage(), imageTooLarge(), fileTooLarge(MAX_PICTURE_MEGABYTES)];
