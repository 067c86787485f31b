"""The installed service: starting, watching over the program, and coming back after a failure.

Theory of operation
-------------------
*An error ends the program.* An exception in the loop or in any thread ends it (`run`): a program that has
lost a part and looks alive is worse than a second without a picture. The display says that it failed,
systemd starts it again, and the journal brings the match back to the same question.

*A program that hangs is ended.* systemd kills it unless it hears from it (`sd_notify`). `watchdog` runs in
the loop and sends that sign of life only while the loop turns, the thread of the keys lives and the journal
can be written. A display or a scanner that is gone does not count: a restart would not bring it back.

*An error that comes back is not repeated for ever.* `crashes` counts starts that ended badly, in a file in
memory. After three within two minutes the next start is a safe start (`safe_mode`): each part of the
configuration, each driver, the journal and the saved match is tried on its own, and what fails is left out
and named on the display.

*What is wrong is a value.* `health.Issue` has an id, a severity, what was seen and what to do. `machine`
finds those of the machine (power, temperature, disk, clock); devices report their own. The ids are the
headings of docs/reliability.md. `status` writes them, with what is played, to a file that `nimmt status`
reads: a program that hangs cannot answer a question, but the age of its last word can be read.

`power` switches the machine off through logind. `overlays` compares the Raspberry Pi's config.txt with what
the configured devices need. `support_bundle` collects what a bug report needs and removes names and
secrets.
"""
