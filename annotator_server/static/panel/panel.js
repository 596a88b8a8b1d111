// The panel: the recorder's state on one side, the answer on the other. This file only brings the two together.
import { AnswerForm } from "./answer_form.js";
import { Recorder, tell } from "./recorder.js";

const panel = document.getElementById("panel");
const form = document.getElementById("answer-form");
const answer = form ? new AnswerForm(panel, form) : null;
const recorder = new Recorder(panel, (detail) => answer?.heard(detail), (detail, minutes) => answer?.toLose(detail, minutes) ?? 0);

if (!form) {
  // It is handed in: nothing that was kept is needed any more.
  try {
    localStorage.removeItem(`trailbench-draft-${panel.dataset.task}`);
  } catch { /* then nothing was kept */ }
  tell({ do: "draft", text: "", saved: true });
}
recorder.greet();
