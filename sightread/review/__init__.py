"""Review of a learned site: retraining with corrections, preview of their effect, questions, explanations of decisions."""
