// The winners appear by themselves when the director ends the tournament.

import { keepCurrent } from "/static/hub/current.js";

keepCurrent("tournament", "/tournament/live");
