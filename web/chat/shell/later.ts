/**
 * What most people open sooner or later: fetched when the first conversation can be read, so that it is there at once, and
 * without a connection.
 */
import '../../shared/ui/opened-menu';
import '../compose/people-select';
import '../compose/stream-select';
import '../keyboard/palette';
import '../keyboard/shortcuts-dialog';
import '../list/reaction-picker';
import './person-dialog';
