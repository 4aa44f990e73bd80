/** The addresses of views of the chat. Others, like those of files and links in mail, are the server's. */
const VIEWS =
  /^\/(?:(?:all|inbox|mentions|private|recent|scheduled|search|settings|share|starred|stream|streams|welcome)(?:\/|$))?/;

export const isShellAddress = (path: string): boolean => VIEWS.exec(path)![0].length > 1 || path === '/';
