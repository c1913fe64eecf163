// Names that strangers chose, in JSON, HTML and CSV; reports and pictures with nothing to draw.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <kinetree/model.hpp>
#include <vector>

#include "bench/report/report.hpp"
#include "bench/simulate/trajectory.hpp"
#include "bench/sweep/results.hpp"
#include "bench/sweep/write_results.hpp"
#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

SweepResults results_named(const std::string& name) {
  SweepResults results;
  ModelEntry entry;
  entry.name = name;
  results.models.push_back({entry, make_model("chain:2"), "chain"});
  CaseResult c;
  c.finished = true;
  c.failure = "=FAILURE()";
  results.cases.push_back(c);
  return results;
}

TEST(StrangeNames, LeaveTheReportWhole) {
  for (const std::string name :
       {"<!--<script>", "</script><script>alert(1)</script>", "<!-- -->", "]]>", "{{chart}}"}) {
    const nlohmann::ordered_json json = results_json(results_named(name), {{"date", "today"}});
    for (const std::string& page : {report_page(json), comparison_page(json)}) {
      const std::string mark = "id=\"results\">";
      const std::size_t from = page.find(mark) + mark.size(), to = page.find("</script>", from);
      const std::string inside = page.substr(from, to - from);
      EXPECT_EQ(inside.find('<'), std::string::npos) << name;
      EXPECT_EQ(nlohmann::ordered_json::parse(inside), json) << name;
    }
  }
}

TEST(StrangeNames, ThatAreNotUtf8AreReplacedInJson) {
  testing::internal::CaptureStderr();
  const auto json = nlohmann::json::parse(json_text({{"a\xff", "b\xfe\xfe!"}, {"c", "\xC3\xA9"}}));
  json_text("\xff");
  const std::string err = testing::internal::GetCapturedStderr();
  EXPECT_EQ(json["a\xEF\xBF\xBD"], "b\xEF\xBF\xBD\xEF\xBF\xBD!");
  EXPECT_EQ(json["c"], "\xC3\xA9");
  EXPECT_LE(std::count(err.begin(), err.end(), '\n'), 1) << err;
}

TEST(StrangeNames, AreNoFormulasInCsv) {
  for (const std::string name : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"}) {
    EXPECT_EQ(csv_cell(name), "\"'" + name + "\"");
    EXPECT_NE(results_csv(results_named(name), {}).find("\n\"'" + name + "\","), std::string::npos) << name;
  }
  EXPECT_EQ(csv_cell("a=\"b\", c"), "\"a=\"\"b\"\", c\"");
  EXPECT_EQ(csv_cell("\xff"), "\"\xff\"") << "bytes stay as they are";
  EXPECT_NE(results_csv(results_named("a"), {}).find(",\"'=FAILURE()\"\n"), std::string::npos);
}

TEST(StrangeNames, StandWholeOverATrajectory) {
  const std::vector<std::string> names{"=1+1", "a, \"b\"", "c\n=2,=3"};
  Description d = make_description("chain:3");
  for (std::size_t k = 0; k < names.size(); ++k) d.bodies[k].joint.name = names[k];
  const Model model = make_model(d);
  Sample sample;
  sample.q = sample.v = sample.tau = Eigen::VectorXd::Zero(3);
  const std::string csv = to_csv(model, {sample});
  std::string header = "time";
  for (const std::string kind : {"q", "v", "tau"})
    for (const std::string& name : names) header += "," + csv_cell(kind + ":" + name);
  EXPECT_EQ(csv.rfind(header + ",kinetic,potential,energy,constraint_residual\n0,", 0), 0u) << csv;
  EXPECT_NE(csv.find(",\"q:=1+1\",\"q:a, \"\"b\"\"\","), std::string::npos) << csv;
  const std::string held = held_words(model, Eigen::VectorXd::Zero(3), 4);
  EXPECT_NE(held.find(", at q:=1+1=0 q:a  \"b\"=0 q:c =2 =3=0"), std::string::npos)
      << "no name begins a cell or a line in a comment: " << held;
}

TEST(NothingToDraw, IsSaidWhereASimulationStopsAtItsStart) {
  const Model model = make_model("chain:1");
  Sample sample;
  sample.q = sample.v = Eigen::VectorXd::Zero(1);
  const std::string svg = to_svg(model, {sample});
  EXPECT_EQ(svg.find("e-3"), std::string::npos) << "an axis of 1e-300 s";
  EXPECT_NE(svg.find("nothing to draw: it stopped where it began"), std::string::npos);
}

TEST(KeepEarlier, RenamesWhatIsThereAndNothingElse) {
  const fs::path top = fs::path(KINETREE_MODELS).parent_path().parent_path();
  const fs::path folder = fs::temp_directory_path() / "kinetree_keep_earlier", report = folder / "report";
  fs::remove_all(folder);
  const auto keep = [&] {
    return std::system(
        ("'" + (top / "bench" / "keep-earlier").string() + "' '" + report.string() + "' 2>/dev/null").c_str());
  };
  fs::create_directories(report);
  EXPECT_EQ(keep(), 0);
  EXPECT_TRUE(fs::exists(report)) << "an empty one is nothing to keep";
  for (const std::string run : {"first", "second", "third"}) {  // within a second of each other
    fs::create_directories(report);
    std::ofstream(report / "results.json") << run;
    EXPECT_EQ(keep(), 0);
    EXPECT_FALSE(fs::exists(report));
  }
  std::string all;
  for (const auto& kept : fs::directory_iterator(folder)) {
    std::ifstream file(kept.path() / "results.json");
    std::string word;
    file >> word;
    all += " " + word;
  }
  for (const char* run : {" first", " second", " third"}) EXPECT_NE(all.find(run), std::string::npos) << all;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kinetree::bench
