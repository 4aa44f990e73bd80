-- What the people of a company tell each other about a conversation. The other side never sees it.
CREATE TABLE IF NOT EXISTS tel_conversation_notes (
  id CHAR(24) COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(24) COLLATE ascii_bin NOT NULL,
  -- Null once the person is gone.
  author_id CHAR(24) COLLATE ascii_bin NULL,
  text TEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  INDEX tel_conversation_notes_listed (conversation_id, created_at, id),
  INDEX tel_conversation_notes_author_id_index (author_id),
  CONSTRAINT tel_conversation_notes_conversation_id_foreign
    FOREIGN KEY (conversation_id) REFERENCES tel_conversations (id) ON DELETE CASCADE,
  CONSTRAINT tel_conversation_notes_author_id_foreign
    FOREIGN KEY (author_id) REFERENCES tel_contacts (id) ON DELETE SET NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
