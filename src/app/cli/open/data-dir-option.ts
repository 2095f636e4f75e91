/** The option of the commands that must work while the configuration is damaged. */
export const DATA_DIR_OPTION = {
  "data-dir": {
    type: "text",
    value: "FOLDER",
    summary: "the daemon's data_dir, where no configuration can be read",
  },
} as const
